import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mensagemSchema } from '@balcao/contract/entities/mensagem'
import { conversasRoute } from '@balcao/contract/routes/registros'
import type { StoredFile } from '#ports/files.ts'
import { createAtendimentoApp, type AtendimentoUser, type AtendimentoApp } from '#test/atendimento/atendimento-app.ts'
import { ogg, pdf, png, textFile } from './sample-files.ts'
import { type Answer, waitUntil } from '#test/app.ts'
import { formFile, startBot } from '#test/builders.ts'

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

function enviar(
  pessoa: AtendimentoUser,
  id: string,
  file: File | null,
  fields: Record<string, string> = {},
): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (file !== null) form.set('arquivo', file)
  return pessoa.act(id, 'midia', form)
}

async function guardados({ contaId }: AtendimentoUser): Promise<number> {
  const todos: StoredFile[] = []
  for await (const um of shop.app.deps.files.list(contaId)) todos.push(um)
  const lines = await shop.app.sql(`select nome from arquivos where conta_id = '${contaId}'`)
  expect(lines).toHaveLength(todos.length)
  return todos.length
}

async function noTelefone(telefone: string): Promise<Record<string, unknown>[]> {
  const { body } = await shop.dona.request('GET', `/simulador/mensagens?telefone=${telefone}`)
  const { mensagens } = Object(body)
  return mensagens.filter(({ de }: { de: string }) => de === 'bot')
}

describe('POST /atendimento/conversas/:id/midia', () => {
  it('takes the conversa, publishes the mensagem and delivers the file to the phone', async () => {
    const { dona, rui, app } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    const foto = formFile(png(1_000), 'vitrine.png', 'text/html')
    const { status, body } = await enviar(dona, id, foto, { legenda: ' Nossa vitrine ', idTemporario: 'tmp-foto' })
    expect([status, body['conversaId'], body['idTemporario']]).toEqual([200, id, 'tmp-foto'])
    const mensagem = mensagemSchema.parse(body['mensagem'])
    const midia = {
      tipo: 'imagem',
      url: expect.stringMatching(/^\/api\/midias\/[0-9a-f]{32}\.png\?e=/),
      nomeArquivo: 'vitrine.png',
      mimeType: 'image/png',
      tamanhoBytes: png(1_000).length,
    }
    expect(mensagem).toMatchObject({ texto: 'Nossa vitrine', estado: 'pendente', origem: 'operador', midia })
    const arrived = await waitUntil(
      async () => (await noTelefone(telefone)).find(({ midia: uma }) => uma !== undefined) ?? null,
    )
    expect(arrived).toMatchObject({ texto: 'Nossa vitrine', midia, imagemUrl: mensagem.midia?.url })
    const parsed = await fetch(`${app.url}${mensagem.midia?.url}`)
    expect(Buffer.from(await parsed.arrayBuffer()).equals(png(1_000))).toBe(true)
    const counted = await waitUntil(() => {
      const lidas = rui.events.flatMap(({ evento, dados }) =>
        evento === 'mensagemConversaHumana' && dados.mensagem.id === mensagem.id ? [dados] : [],
      )
      return lidas.length >= 2 ? lidas : null
    })
    expect(counted.map(({ mensagem: { estado } }) => estado)).toEqual(['pendente', 'enviada'])
    expect(counted[0]).toMatchObject({ idTemporario: 'tmp-foto', mensagem: { midia } })
    expect(counted[1]).toMatchObject({ mensagem: { midia } })
  })

  it('accepts audio and documents without a legenda', async () => {
    const { dona } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    expect((await enviar(dona, id, formFile(ogg(), 'voz.ogg'))).body['mensagem']).toMatchObject({
      texto: '',
      midia: { tipo: 'audio', mimeType: 'audio/ogg' },
    })
    const nasListas = [
      (await dona.list('mensagens=0')).find((uma) => uma.id === id),
      (await dona.list()).find((uma) => uma.id === id),
      conversasRoute.response
        .parse((await dona.request('GET', '/conversas')).body)
        .conversas.find((uma) => uma.id === id),
    ]
    expect(nasListas.map((uma) => uma?.ultimaMensagem?.texto)).toEqual(['Áudio', 'Áudio', 'Áudio'])
    expect((await enviar(dona, id, formFile(pdf(), 'orçamento.pdf'))).body['mensagem']).toMatchObject({
      midia: { tipo: 'documento', nomeArquivo: 'orçamento.pdf' },
    })
    await waitUntil(async () => (await noTelefone(telefone)).filter(({ midia }) => midia !== undefined).length === 2)
  })

  it('opens by the address in the event of a reopened conversa', async () => {
    const { dona, rui } = shop
    const { id } = await shop.newWaitingCustomer()
    await enviar(dona, id, formFile(png(), 'volta.png'))
    await dona.act(id, 'finalizar')
    expect((await dona.act(id, 'reabrir')).status).toBe(200)
    const reopened = await waitUntil(
      () =>
        rui.events.flatMap(({ evento, dados }) =>
          evento === 'conversaReaberta' && dados.conversa.id === id ? [dados.conversa] : [],
        )[0] ?? null,
    )
    const urls = reopened.mensagens.flatMap(({ midia }) => midia?.url ?? [])
    expect(urls).toHaveLength(1)
    expect((await fetch(`${shop.app.url}${urls[0]}`)).status).toBe(200)
  })

  it('quotes a mensagem only of the same conversa', async () => {
    const { dona } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    await shop.customerSays(telefone, 'tem foto do de fubá?')
    const doCliente = (await dona.list()).find((uma) => uma.id === id)?.mensagens.at(-1)
    const citada = { texto: 'tem foto do de fubá?', nossa: false }
    const citadaId = doCliente?.id ?? ''
    const foto = formFile(png(), 'fuba.png')
    expect((await enviar(dona, id, foto, { citadaId })).body['mensagem']).toMatchObject({ citada })
    await waitUntil(async () => (await noTelefone(telefone)).at(-1)?.['midia'] !== undefined)
    expect((await noTelefone(telefone)).at(-1)).toMatchObject({ citada, midia: { nomeArquivo: 'fuba.png' } })
    const before = await guardados(dona)
    const { id: other } = await shop.newWaitingCustomer()
    expect((await enviar(dona, other, foto, { citadaId })).status).toBe(404)
    expect(await guardados(dona)).toBe(before)
  })

  it('sends the file after the bot restarts', async () => {
    const { dona, app } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    expect((await dona.request('POST', '/bot/parar')).status).toBe(200)
    expect((await enviar(dona, id, formFile(png(), 'a.png'))).status).toBe(200)
    await app.idle()
    expect((await noTelefone(telefone)).filter(({ midia }) => midia !== undefined)).toEqual([])
    await startBot(dona)
    await waitUntil(async () => (await noTelefone(telefone)).some(({ midia }) => midia !== undefined))
  })

  it('stores one mensagem and one file for repeated requests', async () => {
    const { dona } = shop
    const { id } = await shop.newWaitingCustomer()
    const before = await guardados(dona)
    const send = () => enviar(dona, id, formFile(png(), 'uma.png'), { idTemporario: 'mesma' })
    const respostas = [...(await Promise.all([send(), send(), send(), send()])), await send()]
    expect(respostas.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const mensagens = respostas.map(({ body }) => mensagemSchema.parse(body['mensagem']))
    expect(new Set(mensagens.map(({ id: um }) => um)).size).toBe(1)
    expect(new Set(mensagens.map(({ midia }) => midia?.url)).size).toBe(1)
    expect(await guardados(dona)).toBe(before + 1)
    expect((await fetch(`${shop.app.url}${mensagens[0]?.midia?.url}`)).status).toBe(200)
  })

  it('refuses like a text mensagem and keeps no file', async () => {
    const { dona, rui, vizinha, app } = shop
    const { id } = await shop.newWaitingCustomer()
    await dona.act(id, 'assumir')
    const before = await guardados(dona)
    const foto = formFile(png(), 'foto.png')
    expect(await enviar(rui, id, foto)).toMatchObject({
      status: 409,
      body: { codigo: 'conversaAssumida', operadorId: dona.id, operador: 'Dona' },
    })
    const alheia = await enviar(vizinha, id, foto)
    expect([alheia.status, alheia.body]).toEqual([404, (await enviar(dona, 'nada', foto)).body])
    await app.sql(`update contas set limite_mensagens_dia = 1 where id = '${dona.contaId}'`)
    expect(await enviar(dona, id, foto)).toMatchObject({
      status: 429,
      body: { codigo: 'limiteDiario', limite: 1, resetEm: expect.any(String) },
    })
    await app.sql(`update contas set limite_mensagens_dia = 1000 where id = '${dona.contaId}'`)
    expect((await dona.act(id, 'finalizar')).status).toBe(200)
    expect(await enviar(dona, id, foto)).toMatchObject({ status: 409, body: { codigo: 'conversaFinalizada' } })
    expect(await guardados(dona)).toBe(before)
    expect(await guardados(vizinha)).toBe(0)
  })

  it('rejects wrong files, fields and legendas', async () => {
    const { dona } = shop
    const { id } = await shop.newWaitingCustomer()
    const refusal = async (file: File | null, fields?: Record<string, string>) => {
      const { status, body } = await enviar(dona, id, file, fields)
      return [status, body['codigo']]
    }
    expect(await refusal(null)).toEqual([400, 'dadosInvalidos'])
    expect(await refusal(formFile(textFile('<svg/>'), 'a.svg', 'image/svg+xml'))).toEqual([400, 'arquivoInvalido'])
    expect(await refusal(formFile(png(5_242_880), 'a.png'))).toEqual([413, 'arquivoGrande'])
    expect(await refusal(formFile(png(), 'a.png'), { legenda: 'x'.repeat(4_097) })).toEqual([400, 'dadosInvalidos'])
    expect(await refusal(formFile(png(), 'a.png'), { idTemporario: '' })).toEqual([400, 'dadosInvalidos'])
    expect((await dona.act(id, 'midia', { arquivo: 'texto' })).body).toMatchObject({ erro: 'Escolha um arquivo' })
    const outroCampo = new FormData()
    outroCampo.set('imagem', formFile(png(), 'a.png'))
    expect((await dona.act(id, 'midia', outroCampo)).status).toBe(400)
  })

  it('answers 413 when the conta has no storage left', async () => {
    const { dona, app } = shop
    const { id } = await shop.newWaitingCustomer()
    await app.sql(
      `insert into arquivos (conta_id, nome, uso, tipo, tamanho, estado, criado_em)
       select '${dona.contaId}', md5(n::text) || '.png', 'midia', 'image/png', 10, 'pronto', now() from generate_series(1, 2000) n`,
    )
    expect(await enviar(dona, id, formFile(png(), 'a.png'))).toMatchObject({
      status: 413,
      body: { codigo: 'armazenamentoCheio', erro: 'Sua conta atingiu o limite de arquivos.' },
    })
    const { body } = await dona.request('GET', `/atendimento/conversas/${id}`)
    expect(Object(body['conversa']).status).toBe('aguardando')
  })
})
