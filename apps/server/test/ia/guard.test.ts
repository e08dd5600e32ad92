import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkAnswer } from '@balcao/engine/ia/guard/check-answer'
import { evidenceOf } from '@balcao/engine/ia/guard/testing/shops'
import { type Attack, attackedShop, readAttacks } from '@balcao/engine/ia/guard/testing/attacks'
import { readAnswers } from '@balcao/engine/ia/guard/testing/labels'
import { createIa } from '#adapters/ia/ia.ts'
import { askGuarded, buildAiRequest, type GuardedAnswer } from '#modules/ia/index.ts'
import { waitUntil } from '#test/app.ts'
import { VALID_KEY } from './fake-gemini.ts'
import { createIaApp, type IaApp, mensagemIdOf } from './ia-app.ts'

const INVENTED = { tipo: 'texto', texto: 'A caneca custa R$ 7,77.', entrada: 100, saida: 10 } as const
const SUPPORTED = { tipo: 'texto', texto: 'A caneca custa R$ 10.', entrada: 200, saida: 20 } as const
const MS_PER_ANSWER_MAX = 2
const labelled = (name: string): string =>
  readFileSync(new URL(`../../../../packages/engine/src/ia/guard/testing/${name}.tsv`, import.meta.url), 'utf8')

let app: IaApp
const saveShop = (transferirSemApoio = true): Promise<void> =>
  app.saveConfig((config) => ({
    ...config,
    ia: { ...config.ia, promptTreinamento: 'A caneca custa R$ 10.', transferirSemApoio },
    menu: { ...config.menu, mensagens: { ...config.menu.mensagens, foraPeriodo: '' } },
  }))
beforeAll(async () => {
  app = await createIaApp()
  await saveShop()
})
afterAll(() => app.close())
beforeEach(() => app.fake.reset())

const systemOf = (at: number): string =>
  (app.fake.requests[at]?.body.systemInstruction?.parts ?? []).map(({ text = '' }) => text).join('')

async function logLines(): Promise<string[]> {
  const rows = await app.app.sql(`select mensagem from logs where mensagem like 'A IA ia responder%'`)
  return rows.map(({ mensagem }) => String(mensagem))
}

describe('an answer that the shop never gave', () => {
  it('is asked again with the reason and sent when the second answer has support', async () => {
    const ana = app.newCustomer('Ana')
    await ana.says('oi')
    app.fake.answerNext(INVENTED, SUPPORTED)
    await ana.says('assistente, a caneca sai por R$ 5,55?')
    await ana.waitsFor('A caneca custa R$ 10.')
    expect(app.fake.requests).toHaveLength(2)
    expect(systemOf(1)).toMatch(/não foi enviada.*valor em dinheiro/)
    expect(systemOf(1)).not.toMatch(/5,55|7,77/)
    const id = await mensagemIdOf(app.request, 'A caneca custa R$ 10.')
    const { body } = await app.request('GET', `/gemini/respostas/${id}`)
    expect(body['resposta']).toMatchObject({
      ...{ retida: false, resposta: 'A caneca custa R$ 10.', tokensEntrada: 300, tokensSaida: 30 },
      afirmacoes: [{ texto: 'R$ 10', apoio: { tipo: 'configuracao', trecho: 'A caneca custa R$ 10.' } }],
    })
    expect(await logLines()).toEqual([])
  })

  it('is withheld, stored and logged, and the customer goes to people', async () => {
    const bia = app.newCustomer('Bia')
    await bia.says('oi')
    app.fake.answerAlways(() => INVENTED)
    await bia.says('assistente, quanto custa a caneca?')
    const received = await bia.waitsFor('JA CHAMO')
    expect(received.slice(-2)).toEqual(['NAO ENTENDI', 'JA CHAMO'])
    // The summary for the person who continues is a further request.
    const questions = app.fake.requests.filter(({ pergunta }) => !pergunta.includes('Cliente: '))
    expect(questions).toHaveLength(2)
    const id = await mensagemIdOf(app.request, 'NAO ENTENDI')
    const { body } = await app.request('GET', `/gemini/respostas/${id}`)
    expect(body['resposta']).toMatchObject({
      ...{ retida: true, resposta: 'A caneca custa R$ 7,77.', tokensEntrada: 200, tokensSaida: 20 },
      afirmacoes: [{ texto: 'R$ 7,77', apoio: null }],
    })
    expect(await logLines()).toEqual([
      'A IA ia responder algo que a loja não informou (valor em dinheiro). A resposta não foi enviada. O cliente foi encaminhado para uma pessoa.',
    ])
    const waiting = await app.app.sql(`select status from conversas where status = 'aguardando'`)
    expect(waiting).toHaveLength(1)
  })

  it('is only withheld when the owner wants no hand-off', async () => {
    await saveShop(false)
    const caio = app.newCustomer('Caio')
    await caio.says('oi')
    app.fake.answerAlways(() => INVENTED)
    await caio.says('assistente, quanto custa?')
    await caio.waitsFor('NAO ENTENDI')
    await waitUntil(async () => (await app.app.sql('select 1 from perguntas_ia')).length === 0)
    expect((await caio.received()).at(-1)).toBe('NAO ENTENDI')
    await saveShop()
  })

  it('is shown to the owner in the test, with the reason', async () => {
    app.fake.answerAlways(() => INVENTED)
    const { status, body } = await app.request('POST', '/gemini/testar', { pergunta: 'quanto custa a caneca?' })
    expect(status).toBe(200)
    expect(body['resposta']).toMatch(/^NAO ENTENDI\n\n\(Resposta retida: "R\$ 7,77".*valor em dinheiro.*\)/)
  })
})

const ATTACKS = readAttacks(labelled('attacks')).map((attack) => ({
  ...attack,
  name: `${attack.carrier}: ${attack.texto}`,
}))

async function obey({ call, obedience }: Attack, shop: ReturnType<typeof attackedShop>): Promise<GuardedAnswer> {
  const { evidence, nomeCliente, pergunta } = shop
  const config = { ...evidence.contexto.config, gemini: { apiKey: VALID_KEY } }
  const contexto = { ...evidence.contexto, config, iaAvailable: true }
  const agora = new Date(evidence.agora)
  const request = buildAiRequest({
    ...{ contaId: 'c', contatoId: null, contexto, nomeCliente, agora, pergunta },
    ...{ historico: [], midias: [], trechos: evidence.trechos },
  })
  app.fake.answerAlways(({ body }) => {
    const wasCalled = body.contents.some(({ parts }) => parts.some(({ functionCall }) => functionCall !== undefined))
    if (call === null || wasCalled) return { tipo: 'texto', texto: obedience }
    return { tipo: 'ferramentas', chamadas: [{ nome: call.nome, args: JSON.parse(call.args) }] }
  })
  const ai = createIa({ urls: { gemini: app.fake.url }, log: { warn: () => undefined }, backoffMs: 1 })
  return askGuarded(ai, request, { contexto, agora: evidence.agora })
}

describe('a model that obeys an attack', () => {
  it.each(ATTACKS)('sends nothing of it, $name', async (attack) => {
    const answer = await obey(attack, attackedShop(attack))
    expect(answer.tipo).toBe('retida')
    for (const { body } of app.fake.requests) {
      const declared = JSON.stringify(body.tools)
      expect(declared).toContain('transferir_para_setor')
      expect(declared).not.toMatch(/alterar_preco|enviar_mensagem|dar_desconto|diretoria|admin/)
    }
  })
})

describe('checkAnswer', () => {
  it('needs at most 2 ms for an answer', () => {
    const answers = readAnswers(labelled('supported')).map((answer) => ({ answer, evidence: evidenceOf(answer) }))
    const round = (): number => {
      const start = performance.now()
      for (const { answer, evidence } of answers) checkAnswer(answer.resposta, evidence)
      return (performance.now() - start) / answers.length
    }
    // The best of some rounds, because other work shares the machine.
    expect(Math.min(...Array.from({ length: 5 }, round))).toBeLessThan(MS_PER_ANSWER_MAX)
  })
})
