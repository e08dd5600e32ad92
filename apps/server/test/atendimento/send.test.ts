import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAtendimentoApp, type AtendimentoUser, type AtendimentoApp } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'
import { startBot } from '#test/builders.ts'

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

const send = (pessoa: AtendimentoUser, id: string, mensagem: string, idTemporario?: string) =>
  pessoa.act(id, 'mensagem', { mensagem, ...(idTemporario === undefined ? {} : { idTemporario }) })

const textosDe = async (pessoa: AtendimentoUser, id: string): Promise<string[]> =>
  ((await pessoa.list()).find((conversa) => conversa.id === id)?.mensagens ?? []).map(({ texto }) => texto)

/** Events of one conversa that a browser received, in order, without the bot's mensagens. */
const contado = (pessoa: AtendimentoUser, id: string): unknown[] =>
  pessoa.events.flatMap(({ evento, dados }) => {
    if (!('conversaId' in dados) || dados.conversaId !== id) return []
    if (evento !== 'mensagemConversaHumana') return [evento]
    return dados.mensagem.origem === 'bot' ? [] : [[dados.mensagem.texto, dados.mensagem.estado]]
  })

describe('POST /atendimento/conversas/:id/mensagem', () => {
  it('takes a waiting conversa, sends to the phone and publishes once in order', async () => {
    const { dona, rui, app } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    const { status, body } = await send(dona, id, '  Bom dia!  ', 'tmp-1')
    expect([status, body['conversaId'], body['idTemporario']]).toEqual([200, id, 'tmp-1'])
    expect(body['mensagem']).toMatchObject({
      texto: 'Bom dia!',
      remetente: 'Dona',
      origem: 'operador',
      estado: 'pendente',
    })
    expect(Object.keys(Object(body['mensagem']))).not.toContain('simulada')
    await waitUntil(async () => (await shop.textsOnPhone(telefone)).includes('Bom dia!'))
    await waitUntil(() => contado(rui, id).length >= 3)
    expect(contado(rui, id)).toEqual(['conversaAssumida', ['Bom dia!', 'pendente'], ['Bom dia!', 'enviada']])
    const eco = rui.events.find(({ dados }) => 'idTemporario' in dados && dados.idTemporario === 'tmp-1')
    expect(eco?.evento).toBe('mensagemConversaHumana')
    const [conversa] = (await rui.list()).filter((uma) => uma.id === id)
    expect(conversa).toMatchObject({ status: 'em_atendimento', operadorId: dona.id, operador: 'Dona', naoLidas: 0 })
    expect(conversa?.mensagens.at(-1)).toMatchObject({ texto: 'Bom dia!', estado: 'enviada' })
    expect(conversa?.ultimaAtividade).toBe(conversa?.mensagens.at(-1)?.timestamp)
    await shop.customerSays(telefone, 'menu')
    await app.idle()
    expect((await shop.textsOnPhone(telefone)).at(-1)).toBe('Bom dia!')
  })

  it('answers 409 with the operador in charge and stores nothing', async () => {
    const { dona, rui } = shop
    const { id } = await shop.newWaitingCustomer()
    await send(dona, id, 'é comigo')
    const before = await textosDe(dona, id)
    expect(await send(rui, id, 'não, comigo')).toMatchObject({
      status: 409,
      body: { codigo: 'conversaAssumida', operadorId: dona.id, operador: 'Dona' },
    })
    expect(await textosDe(dona, id)).toEqual(before)
  })

  it('gives a waiting conversa to one of two simultaneous senders and names that operador', async () => {
    const { dona, rui } = shop
    for (let vez = 0; vez < 5; vez += 1) {
      const { id } = await shop.newWaitingCustomer()
      const respostas = await Promise.all([send(dona, id, 'da dona'), send(rui, id, 'do rui')])
      expect(respostas.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      const [conversa] = (await dona.list()).filter((uma) => uma.id === id)
      const venceu = respostas[0]?.status === 200 ? dona : rui
      expect(conversa).toMatchObject({ operadorId: venceu.id, operador: venceu.nome })
      expect(respostas.find(({ status }) => status === 409)?.body).toMatchObject({ operadorId: venceu.id })
      const said = await textosDe(dona, id)
      expect(said.filter((text) => text.startsWith('d'))).toEqual([venceu === dona ? 'da dona' : 'do rui'])
    }
  })

  it('refuses a finished conversa but repeats the answer of a stored mensagem', async () => {
    const { dona } = shop
    const { id } = await shop.newWaitingCustomer()
    const first = await send(dona, id, 'até logo', 'perdida')
    await dona.act(id, 'finalizar')
    expect(await send(dona, id, 'mais uma')).toMatchObject({ status: 409, body: { codigo: 'conversaFinalizada' } })
    const other = await send(dona, id, 'até logo', 'perdida')
    expect(other.status).toBe(200)
    expect(Object(other.body['mensagem']).id).toBe(Object(first.body['mensagem']).id)
  })

  it('stores one mensagem for 50 simultaneous requests with one idTemporario', async () => {
    const { dona, app } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    const respostas = await Promise.all(Array.from({ length: 50 }, () => send(dona, id, 'uma só', 'tmp-50')))
    expect(new Set(respostas.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(respostas.map(({ body }) => Object(body['mensagem']).id)).size).toBe(1)
    await app.idle()
    expect((await shop.textsOnPhone(telefone)).filter((text) => text === 'uma só')).toHaveLength(1)
    expect((await textosDe(dona, id)).filter((text) => text === 'uma só')).toHaveLength(1)
  })

  it('treats the same idTemporario of another operador as another mensagem', async () => {
    const { dona, rui } = shop
    const { id } = await shop.newWaitingCustomer()
    const respostas = await Promise.all([send(dona, id, 'sou eu', 'meu'), send(rui, id, 'não, eu', 'meu')])
    expect(respostas.map(({ status }) => status).toSorted((um, outro) => um - outro)).toEqual([200, 409])
    const venceu = respostas[0]?.status === 200 ? dona : rui
    const perdeu = venceu === dona ? rui : dona
    expect(respostas.find(({ status }) => status === 409)?.body).toMatchObject({ operadorId: venceu.id })
    // An idTemporario refused earlier is not answered with the other operador's mensagem after a transfer.
    expect((await venceu.act(id, 'transferir', { setor: 'vendas' })).status).toBe(200)
    expect(await send(perdeu, id, 'agora eu', 'meu')).toMatchObject({ status: 409, body: { codigo: 'conflito' } })
    expect((await send(perdeu, id, 'agora eu', 'outro')).status).toBe(200)
  })

  it('keeps mensagens while the bot is stopped and then sends them in order', async () => {
    const { dona, app } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    await send(dona, id, 'zero')
    await app.idle()
    expect((await dona.request('POST', '/bot/parar')).status).toBe(200)
    const written = ['um', 'dois', 'três', 'quatro']
    for (const text of written) {
      expect(Object((await send(dona, id, text)).body['mensagem']).estado).toBe('pendente')
    }
    const [conversa] = (await dona.list()).filter((uma) => uma.id === id)
    expect(conversa?.mensagens.slice(-4).map(({ estado }) => estado)).toEqual(Array(4).fill('pendente'))
    await startBot(dona)
    await waitUntil(async () => (await shop.textsOnPhone(telefone)).at(-1) === 'quatro')
    expect((await shop.textsOnPhone(telefone)).slice(-5)).toEqual(['zero', ...written])
    await waitUntil(() => contado(dona, id).filter((um) => JSON.stringify(um).includes('enviada')).length >= 5)
  })

  it('sends 30 simultaneous mensagens in the order of the conversa, before the goodbye', async () => {
    const { dona } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    const respostas = await Promise.all(Array.from({ length: 30 }, (_, n) => send(dona, id, `junta ${n}`)))
    expect(respostas.every(({ status }) => status === 200)).toBe(true)
    const order = (await textosDe(dona, id)).filter((text) => text.startsWith('junta'))
    expect(order).toHaveLength(30)
    const before = (await textosDe(dona, id)).length
    const fim = await dona.act(id, 'finalizar')
    const goodbye = Object(fim.body['conversa']).mensagens.slice(before)
    expect(goodbye.length).toBeGreaterThan(0)
    const expected = [...order, ...goodbye.map(({ texto }: { readonly texto: string }) => texto)]
    await waitUntil(async () => (await shop.textsOnPhone(telefone)).at(-1) === expected.at(-1))
    expect((await shop.textsOnPhone(telefone)).slice(-expected.length)).toEqual(expected)
  })

  it('finishes with the goodbye alone while the rating question is off', async () => {
    const { dona } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    const ask = async (ativa: boolean): Promise<unknown> => {
      const config = Object((await dona.request('GET', '/config')).body['config'])
      const atendimento = { ...config.atendimento, avaliacao: { ativa } }
      return (await dona.request('PUT', '/config', { ...config, atendimento })).body['config']
    }
    const { menu } = Object(await ask(false))
    const fim = await dona.act(id, 'finalizar')
    expect(Object(fim.body['conversa']).mensagens.at(-1).texto).toBe(menu.mensagens.despedida)
    await waitUntil(async () => (await shop.textsOnPhone(telefone)).at(-1) === menu.mensagens.despedida)
    await ask(true)
  })

  it('answers each mensagem of one batch separately, accepted, refused or repeated', async () => {
    const { dona, rui } = shop
    const [wait, mine, alheia, finda] = [
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
    ]
    await send(dona, mine.id, 'dita antes', 'antes')
    await rui.act(alheia.id, 'assumir')
    await rui.act(finda.id, 'finalizar')
    const ninguem = '01900000-0000-7000-8000-000000000003'
    const envios = [wait.id, mine.id, alheia.id, finda.id, ninguem].map((id) => send(dona, id, 'juntas', 'juntas'))
    const respostas = await Promise.all([...envios, send(dona, mine.id, 'dita antes', 'antes')])
    expect(respostas.map(({ status, body }) => [status, body['codigo']])).toEqual([
      [200, undefined],
      [200, undefined],
      [409, 'conversaAssumida'],
      [409, 'conversaFinalizada'],
      [404, 'naoEncontrado'],
      [200, undefined],
    ])
    expect(respostas.at(-1)?.body['mensagem']).toMatchObject({
      texto: 'dita antes',
      estado: expect.stringMatching(/^(pendente|enviada)$/),
    })
    expect((await textosDe(dona, mine.id)).filter((text) => text !== 'oi').slice(-2)).toEqual(['dita antes', 'juntas'])
    for (const { telefone } of [wait, mine]) {
      await waitUntil(async () => (await shop.textsOnPhone(telefone)).at(-1) === 'juntas')
    }
    expect([...(await textosDe(dona, alheia.id)), ...(await textosDe(dona, finda.id))]).not.toContain('juntas')
  })

  it('answers 404 for another conta and for unknown ids, without events', async () => {
    const { vizinha } = shop
    const { id } = await shop.newWaitingCustomer()
    const alheia = await send(vizinha, id, 'oi')
    const none = await send(vizinha, '01900000-0000-7000-8000-000000000002', 'oi')
    expect([alheia.status, alheia.body]).toEqual([404, none.body])
    expect((await send(vizinha, 'nada', 'oi')).body).toEqual(alheia.body)
    expect(vizinha.events.filter(({ evento }) => evento === 'mensagemConversaHumana')).toEqual([])
  })

  it.each([{}, { mensagem: '' }, { mensagem: '   ' }, { mensagem: 'x'.repeat(4097) }, { mensagem: 3 }])(
    'rejects a missing, empty or too long text: %j',
    async (body) => {
      expect((await shop.dona.act('nada', 'mensagem', body)).status).toBe(400)
    },
  )
})
