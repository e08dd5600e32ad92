import { afterAll, beforeAll, expect, it } from 'vitest'
import { PRIVACIDADE_PADRAO } from '@balcao/contract/entities/lgpd'
import { apiRoutes } from '@balcao/contract/routes/all'
import { PHRASES } from '@balcao/engine/phrases'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, sendAsCustomer } from '#test/builders.ts'

let app: TestApp
let dona: TestUser

beforeAll(async () => {
  app = await createTestApp()
  dona = app.admin
  await connectBot(dona)
})
afterAll(() => app?.close())

let clientes = 0
const novoTelefone = (): string => `55119444400${String((clientes += 1)).padStart(2, '0')}`

/** A customer writes. Returns the texts sent after that, once no mensagem is pending. */
async function diz(telefone: string, texto: string): Promise<string[]> {
  const before = (await chatOf(dona, telefone)).length
  expect((await sendAsCustomer(dona, telefone, { texto })).status).toBe(202)
  await app.idle()
  const chat = await waitUntil(async () => {
    const parsed = await chatOf(dona, telefone)
    const queued = await app.sql('select 1 from saida where conta_id = $1', [dona.contaId])
    return queued.length === 0 && parsed
  })
  return chat.slice(before).flatMap((mensagem) => (mensagem.de === 'bot' ? [mensagem.texto] : []))
}

const save = (change: object) => dona.request('PUT', '/lgpd/privacidade', { ...PRIVACIDADE_PADRAO, ...change })
const exportar = async (telefone: string) =>
  apiRoutes.exportarTitular.response.parse((await dona.request('GET', `/lgpd/titulares/${telefone}/exportacao`)).body)

it('starts with the defaults and rejects an invalid retention or aviso', async () => {
  expect((await dona.request('GET', '/lgpd/privacidade')).body).toEqual({ privacidade: PRIVACIDADE_PADRAO })
  for (const change of [
    { retencaoDias: 6 },
    { retencaoDias: 3651 },
    { retencaoDias: 30.5 },
    { aviso: { ativo: true, texto: '' } },
    { aviso: { ativo: true, texto: 'sem link nenhum' } },
  ]) {
    expect(await save(change), JSON.stringify(change)).toMatchObject({
      status: 400,
      body: { codigo: 'dadosInvalidos' },
    })
  }
  expect((await dona.request('GET', '/lgpd/privacidade')).body).toEqual({ privacidade: PRIVACIDADE_PADRAO })
})

it('changes only the given fields', async () => {
  const mudar = async (change: object) => (await dona.request('PUT', '/lgpd/privacidade', change)).body
  await mudar({ guardaLegal: true })
  await mudar({ aviso: { ativo: true } })
  const { aviso, ...rest } = PRIVACIDADE_PADRAO
  const expected = { ...rest, guardaLegal: true, retencaoDias: 90, aviso: { ...aviso, ativo: true } }
  expect(await mudar({ retencaoDias: 90 })).toEqual({ privacidade: expected })
  expect((await dona.request('GET', '/lgpd/privacidade')).body).toEqual({ privacidade: expected })
  await save({})
})

it('sends the aviso once per customer and keeps its exact text as proof', async () => {
  const telefone = novoTelefone()
  expect((await diz(telefone, 'oi')).join()).not.toContain('/privacy')

  const texto = 'AVISO de {empresa}: {privacidade}'
  expect((await save({ aviso: { ativo: true, texto } })).status).toBe(200)
  const other = novoTelefone()
  const said = await diz(other, 'oi')
  expect(said[1]).toMatch(/^AVISO de .*: http:\/\/localhost:3000\/privacy$/)
  expect((await diz(other, 'menu')).join()).not.toContain('AVISO')

  await save({ aviso: { ativo: true, texto: 'OUTRO {privacidade}' } })
  expect((await diz(novoTelefone(), 'oi'))[1]).toBe('OUTRO http://localhost:3000/privacy')
  expect((await exportar(other)).consentimentos).toMatchObject([{ ato: 'aviso', texto, canal: 'simulador' }])
  await save({})
})

it('stops the bot for one customer between PARAR and VOLTAR, also after clearing', async () => {
  const telefone = novoTelefone()
  await diz(telefone, 'oi')
  expect(await diz(telefone, 'PARAR')).toEqual([PHRASES.parou])
  expect(await diz(telefone, 'oi')).toEqual([])
  expect(await diz(novoTelefone(), 'oi')).not.toEqual([])

  const { titular } = apiRoutes.titular.response.parse((await dona.request('GET', `/lgpd/titulares/${telefone}`)).body)
  expect(titular.paradoDesde).not.toBeNull()
  await dona.request('DELETE', '/conversas')
  expect(await diz(telefone, 'menu')).toEqual([])

  expect((await diz(telefone, 'atendente')).length).toBeGreaterThan(0)
  const [humana] = apiRoutes.conversasHumanas.response.parse(
    (await dona.request('GET', '/atendimento/conversas')).body,
  ).conversas
  await dona.request('POST', `/atendimento/conversas/${humana?.id}/assumir`)
  await dona.request('POST', `/atendimento/conversas/${humana?.id}/finalizar`)
  expect(await diz(telefone, '5')).toEqual([])

  expect((await diz(telefone, 'voltar'))[0]).toBe(PHRASES.voltou)
  expect((await exportar(telefone)).consentimentos.map(({ ato }) => ato)).toEqual(['parada', 'retomada'])
})

it('repeats an aviso that the daily limit held back', async () => {
  const aviso = { ativo: true, texto: 'AVISO {privacidade}' }
  await save({ aviso })
  const telefone = novoTelefone()
  await app.sql('update contas set sem_limite = false, limite_mensagens_dia = 1 where id = $1', [dona.contaId])
  await diz(telefone, 'oi')
  expect((await exportar(telefone)).consentimentos).toEqual([])
  await app.sql('update contas set sem_limite = true where id = $1', [dona.contaId])
  // Saving clears this node's cache of the exhausted limit.
  await save({ aviso })
  app.advance(2 * 3_600_000)
  expect((await diz(telefone, 'oi')).filter((text) => text.startsWith('AVISO'))).toHaveLength(1)
  expect((await exportar(telefone)).consentimentos).toHaveLength(1)
  await save({})
})
