import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '#test/bot/house.ts'
import { createAtendimentoApp, restartBot, type AtendimentoUser, type AtendimentoApp } from './posto.ts'

let posto: AtendimentoApp
beforeAll(async () => {
  posto = await createAtendimentoApp()
})
afterAll(() => posto.close())

const enviar = (pessoa: AtendimentoUser, id: string, mensagem: string, idTemporario?: string) =>
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
    const { dona, rui, app } = posto
    const { id, telefone } = await posto.newWaitingCustomer()
    const { status, body } = await enviar(dona, id, '  Bom dia!  ', 'tmp-1')
    expect([status, body['conversaId'], body['idTemporario']]).toEqual([200, id, 'tmp-1'])
    expect(body['mensagem']).toMatchObject({
      texto: 'Bom dia!',
      remetente: 'Dona',
      origem: 'operador',
      estado: 'pendente',
    })
    expect(Object.keys(Object(body['mensagem']))).not.toContain('simulada')
    await waitUntil(async () => (await posto.textsOnPhone(telefone)).includes('Bom dia!'))
    await waitUntil(() => contado(rui, id).length >= 3)
    expect(contado(rui, id)).toEqual(['conversaAssumida', ['Bom dia!', 'pendente'], ['Bom dia!', 'enviada']])
    const eco = rui.events.find(({ dados }) => 'idTemporario' in dados && dados.idTemporario === 'tmp-1')
    expect(eco?.evento).toBe('mensagemConversaHumana')
    const [conversa] = (await rui.list()).filter((uma) => uma.id === id)
    expect(conversa).toMatchObject({ status: 'em_atendimento', operadorId: dona.id, operador: 'Dona', naoLidas: 0 })
    expect(conversa?.mensagens.at(-1)).toMatchObject({ texto: 'Bom dia!', estado: 'enviada' })
    expect(conversa?.ultimaAtividade).toBe(conversa?.mensagens.at(-1)?.timestamp)
    await posto.customerSays(telefone, 'menu')
    await app.idle()
    expect((await posto.textsOnPhone(telefone)).at(-1)).toBe('Bom dia!')
  })

  it('answers 409 with the operador in charge and stores nothing', async () => {
    const { dona, rui } = posto
    const { id } = await posto.newWaitingCustomer()
    await enviar(dona, id, 'é comigo')
    const antes = await textosDe(dona, id)
    expect(await enviar(rui, id, 'não, comigo')).toMatchObject({
      status: 409,
      body: { codigo: 'conversaAssumida', operadorId: dona.id, operador: 'Dona' },
    })
    expect(await textosDe(dona, id)).toEqual(antes)
  })

  it('gives a waiting conversa to one of two simultaneous senders and names that operador', async () => {
    const { dona, rui } = posto
    for (let vez = 0; vez < 5; vez += 1) {
      const { id } = await posto.newWaitingCustomer()
      const respostas = await Promise.all([enviar(dona, id, 'da dona'), enviar(rui, id, 'do rui')])
      expect(respostas.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      const [conversa] = (await dona.list()).filter((uma) => uma.id === id)
      const venceu = respostas[0]?.status === 200 ? dona : rui
      expect(conversa).toMatchObject({ operadorId: venceu.id, operador: venceu.nome })
      expect(respostas.find(({ status }) => status === 409)?.body).toMatchObject({ operadorId: venceu.id })
      const ditas = await textosDe(dona, id)
      expect(ditas.filter((texto) => texto.startsWith('d'))).toEqual([venceu === dona ? 'da dona' : 'do rui'])
    }
  })

  it('refuses a finished conversa but repeats the answer of a stored mensagem', async () => {
    const { dona } = posto
    const { id } = await posto.newWaitingCustomer()
    const primeira = await enviar(dona, id, 'até logo', 'perdida')
    await dona.act(id, 'finalizar')
    expect(await enviar(dona, id, 'mais uma')).toMatchObject({ status: 409, body: { codigo: 'conversaFinalizada' } })
    const outra = await enviar(dona, id, 'até logo', 'perdida')
    expect(outra.status).toBe(200)
    expect(Object(outra.body['mensagem']).id).toBe(Object(primeira.body['mensagem']).id)
  })

  it('stores one mensagem for 50 simultaneous requests with one idTemporario', async () => {
    const { dona, app } = posto
    const { id, telefone } = await posto.newWaitingCustomer()
    const respostas = await Promise.all(Array.from({ length: 50 }, () => enviar(dona, id, 'uma só', 'tmp-50')))
    expect(new Set(respostas.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(respostas.map(({ body }) => Object(body['mensagem']).id)).size).toBe(1)
    await app.idle()
    expect((await posto.textsOnPhone(telefone)).filter((texto) => texto === 'uma só')).toHaveLength(1)
    expect((await textosDe(dona, id)).filter((texto) => texto === 'uma só')).toHaveLength(1)
  })

  it('treats the same idTemporario of another operador as another mensagem', async () => {
    const { dona, rui } = posto
    const { id } = await posto.newWaitingCustomer()
    const respostas = await Promise.all([enviar(dona, id, 'sou eu', 'meu'), enviar(rui, id, 'não, eu', 'meu')])
    expect(respostas.map(({ status }) => status).toSorted((um, outro) => um - outro)).toEqual([200, 409])
    const venceu = respostas[0]?.status === 200 ? dona : rui
    const perdeu = venceu === dona ? rui : dona
    expect(respostas.find(({ status }) => status === 409)?.body).toMatchObject({ operadorId: venceu.id })
    // An idTemporario refused earlier is not answered with the other operador's mensagem after a transfer.
    expect((await venceu.act(id, 'transferir', { setor: 'vendas' })).status).toBe(200)
    expect(await enviar(perdeu, id, 'agora eu', 'meu')).toMatchObject({ status: 409, body: { codigo: 'conflito' } })
    expect((await enviar(perdeu, id, 'agora eu', 'outro')).status).toBe(200)
  })

  it('keeps mensagens while the bot is stopped and then sends them in order', async () => {
    const { dona, app } = posto
    const { id, telefone } = await posto.newWaitingCustomer()
    await enviar(dona, id, 'zero')
    await app.idle()
    expect((await dona.request('POST', '/bot/parar')).status).toBe(200)
    const escritas = ['um', 'dois', 'três', 'quatro']
    for (const texto of escritas) {
      expect(Object((await enviar(dona, id, texto)).body['mensagem']).estado).toBe('pendente')
    }
    const [conversa] = (await dona.list()).filter((uma) => uma.id === id)
    expect(conversa?.mensagens.slice(-4).map(({ estado }) => estado)).toEqual(Array(4).fill('pendente'))
    await restartBot(dona.request)
    await waitUntil(async () => (await posto.textsOnPhone(telefone)).at(-1) === 'quatro')
    expect((await posto.textsOnPhone(telefone)).slice(-5)).toEqual(['zero', ...escritas])
    await waitUntil(() => contado(dona, id).filter((um) => JSON.stringify(um).includes('enviada')).length >= 5)
  })

  it('sends 30 simultaneous mensagens in the order of the conversa, before the goodbye', async () => {
    const { dona } = posto
    const { id, telefone } = await posto.newWaitingCustomer()
    const respostas = await Promise.all(Array.from({ length: 30 }, (_, n) => enviar(dona, id, `junta ${n}`)))
    expect(respostas.every(({ status }) => status === 200)).toBe(true)
    const ordem = (await textosDe(dona, id)).filter((texto) => texto.startsWith('junta'))
    expect(ordem).toHaveLength(30)
    const antes = (await textosDe(dona, id)).length
    const fim = await dona.act(id, 'finalizar')
    const adeus = Object(fim.body['conversa']).mensagens.slice(antes)
    expect(adeus.length).toBeGreaterThan(0)
    const esperadas = [...ordem, ...adeus.map(({ texto }: { readonly texto: string }) => texto)]
    await waitUntil(async () => (await posto.textsOnPhone(telefone)).at(-1) === esperadas.at(-1))
    expect((await posto.textsOnPhone(telefone)).slice(-esperadas.length)).toEqual(esperadas)
  })

  it('answers each mensagem of one batch separately, accepted, refused or repeated', async () => {
    const { dona, rui } = posto
    const [espera, minha, alheia, finda] = [
      await posto.newWaitingCustomer(),
      await posto.newWaitingCustomer(),
      await posto.newWaitingCustomer(),
      await posto.newWaitingCustomer(),
    ]
    await enviar(dona, minha.id, 'dita antes', 'antes')
    await rui.act(alheia.id, 'assumir')
    await rui.act(finda.id, 'finalizar')
    const ninguem = '01900000-0000-7000-8000-000000000003'
    const envios = [espera.id, minha.id, alheia.id, finda.id, ninguem].map((id) => enviar(dona, id, 'juntas', 'juntas'))
    const respostas = await Promise.all([...envios, enviar(dona, minha.id, 'dita antes', 'antes')])
    expect(respostas.map(({ status, body }) => [status, body['codigo']])).toEqual([
      [200, undefined],
      [200, undefined],
      [409, 'conversaAssumida'],
      [409, 'conversaFinalizada'],
      [404, 'naoEncontrado'],
      [200, undefined],
    ])
    expect(respostas.at(-1)?.body['mensagem']).toMatchObject({ texto: 'dita antes', estado: 'enviada' })
    expect((await textosDe(dona, minha.id)).filter((texto) => texto !== 'oi').slice(-2)).toEqual([
      'dita antes',
      'juntas',
    ])
    for (const { telefone } of [espera, minha]) {
      await waitUntil(async () => (await posto.textsOnPhone(telefone)).at(-1) === 'juntas')
    }
    expect([...(await textosDe(dona, alheia.id)), ...(await textosDe(dona, finda.id))]).not.toContain('juntas')
  })

  it('answers 404 for another conta and for unknown ids, without events', async () => {
    const { vizinha } = posto
    const { id } = await posto.newWaitingCustomer()
    const alheia = await enviar(vizinha, id, 'oi')
    const nenhuma = await enviar(vizinha, '01900000-0000-7000-8000-000000000002', 'oi')
    expect([alheia.status, alheia.body]).toEqual([404, nenhuma.body])
    expect((await enviar(vizinha, 'nada', 'oi')).body).toEqual(alheia.body)
    expect(vizinha.events.filter(({ evento }) => evento === 'mensagemConversaHumana')).toEqual([])
  })

  it.each([{}, { mensagem: '' }, { mensagem: '   ' }, { mensagem: 'x'.repeat(4097) }, { mensagem: 3 }])(
    'rejects a missing, empty or too long text: %j',
    async (body) => {
      expect((await posto.dona.act('nada', 'mensagem', body)).status).toBe(400)
    },
  )
})
