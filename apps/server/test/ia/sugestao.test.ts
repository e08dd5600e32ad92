import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sugerirRespostaRoute } from '@balcao/contract/routes/atendimento-sugestao'
import { apiRoutes } from '@balcao/contract/routes/all'
import type { TestUser } from '#test/app.ts'
import { customerSays, givenOperador, givenWaitingCustomer } from '#test/builders.ts'
import { givenText } from '#test/fontes/fontes-app.ts'
import { createIaApp, type IaApp } from './ia-app.ts'

const ANA = '5511955000001'

let ia: IaApp
let dona: TestUser
let conversaId = ''

const suggest = (person: Pick<TestUser, 'request'> = dona, id = conversaId) =>
  person.request('POST', `/atendimento/conversas/${id}/sugestao`)
const codes = async (person = dona): Promise<unknown[]> => {
  const { status, body } = await suggest(person)
  return [status, body['codigo']]
}

beforeAll(async () => {
  ia = await createIaApp()
  dona = ia.app.admin
  await dona.request('POST', '/produtos', { nome: 'Caneca azul', descricao: 'De louça', preco: 39.9 })
  conversaId = await givenWaitingCustomer(dona, ANA)
  await customerSays(dona, ANA, 'quanto custa a caneca azul?', 'meu cpf é 529.982.247-25')
})
afterEach(() => ia.fake.reset())
afterAll(() => ia.close())

describe('POST /atendimento/conversas/:id/sugestao', () => {
  it('answers a draft with its sources, and sends and keeps nothing', async () => {
    const before = await ia.app.sql('select count(*)::int as n from mensagens')
    ia.fake.answerNext({ tipo: 'texto', texto: 'A caneca azul custa R$ 39,90.' })
    const { status, body } = await suggest()
    expect(status).toBe(200)
    const { texto, fontes } = sugerirRespostaRoute.response.parse(body)
    expect(texto).toBe('A caneca azul custa R$ 39,90.')
    expect(fontes).toEqual([{ titulo: expect.stringMatching(/^Caneca azul, R\$\s39,90$/) }])
    const [asked] = ia.fake.requests
    expect(asked?.pergunta).toBe('quanto custa a caneca azul?\nmeu cpf é [CPF oculto]')
    expect(asked?.rawBody).not.toContain('529.982')
    expect(JSON.stringify(asked?.body.systemInstruction)).toContain('rascunho da próxima mensagem')
    expect(JSON.stringify(asked?.body.tools)).not.toContain('transferir_para_setor')
    expect(await ia.app.sql('select count(*)::int as n from mensagens')).toEqual(before)
    expect(await ia.app.sql('select 1 from respostas_ia')).toEqual([])
    const { hoje } = apiRoutes.usoGemini.response.parse((await dona.request('GET', '/gemini/uso')).body)
    expect(hoje.perguntas).toBe(1)
  })

  it('reads the sources of the shop and names the one that supports the draft', async () => {
    const texto = 'A entrega na Vila Mariana custa R$ 8,00 e leva uma hora.'
    const fonte = await givenText(dona, 'Entrega', texto)
    const id = await givenWaitingCustomer(dona, '5511955000003')
    await customerSays(dona, '5511955000003', 'a entrega na vila mariana leva quanto tempo?')
    ia.fake.answerNext({ tipo: 'texto', texto: 'Na Vila Mariana a entrega leva uma hora.' })
    const suggested = await suggest(dona, id)
    expect(suggested.body['fontes']).toEqual([{ titulo: 'Entrega', fonteId: fonte.id }])
    expect(JSON.stringify(ia.fake.requests.at(-1)?.body.systemInstruction)).toContain(texto)
  })

  it('has no draft when nothing of the shop supports it', async () => {
    ia.fake.answerNext({ tipo: 'texto', texto: 'SEM_SUGESTAO' })
    expect(await codes()).toEqual([422, 'semSugestao'])
    ia.fake.answerNext({ tipo: 'texto', texto: 'Nosso estacionamento coberto fica aberto.' })
    expect(await codes()).toEqual([422, 'semSugestao'])
  })

  it('asks again about a price that the shop never gave, and has no draft when it stays', async () => {
    ia.fake.answerNext(
      { tipo: 'texto', texto: 'A caneca azul custa R$ 19,90.' },
      { tipo: 'texto', texto: 'A caneca azul custa R$ 39,90.' },
    )
    expect((await suggest()).body['texto']).toBe('A caneca azul custa R$ 39,90.')
    expect(ia.fake.requests).toHaveLength(2)
    ia.fake.answerAlways(() => ({ tipo: 'texto', texto: 'A caneca azul custa R$ 19,90.' }))
    expect(await codes()).toEqual([422, 'semSugestao'])
  })

  it('says when the provider failed, the AI is off and no key is stored', async () => {
    ia.fake.answerNext({ tipo: 'erro', status: 400 })
    expect(await codes()).toEqual([502, 'iaFalhou'])
    const asked = ia.fake.requests.length
    await ia.saveConfig((config) => ({ ...config, ia: { ...config.ia, ativa: false } }))
    expect(await codes()).toEqual([409, 'iaDesligada'])
    await ia.saveConfig((config) => ({
      ...config,
      gemini: { apiKey: '' },
      ia: { ...config.ia, ativa: false, apiKey: '' },
    }))
    expect(await codes()).toEqual([400, 'iaSemChave'])
    expect(ia.fake.requests).toHaveLength(asked)
    await ia.saveConfig()
  })

  it('is for the person who may answer the conversa', async () => {
    const [otto, vera] = [await givenOperador(ia.app, dona), await givenOperador(ia.app, dona, { nome: 'Vera' })]
    ia.fake.answerAlways(() => ({ tipo: 'texto', texto: 'A caneca azul custa R$ 39,90.' }))
    expect((await suggest(otto)).status).toBe(200)
    await otto.request('POST', `/atendimento/conversas/${conversaId}/assumir`)
    expect([await codes(vera), (await suggest(otto)).status]).toEqual([[409, 'conversaAssumida'], 200])
    await otto.request('POST', `/atendimento/conversas/${conversaId}/finalizar`, { silencioso: true })
    expect(await codes(otto)).toEqual([409, 'conversaFinalizada'])
  })

  it('refuses the eleventh suggestion of a person within a minute', async () => {
    const id = await givenWaitingCustomer(dona, '5511955000002')
    const otto = await givenOperador(ia.app, dona)
    ia.fake.answerAlways(() => ({ tipo: 'texto', texto: 'A caneca azul custa R$ 39,90.' }))
    for (let n = 0; n < 10; n += 1) expect((await suggest(otto, id)).status).toBe(200)
    expect(await suggest(otto, id)).toMatchObject({ status: 429, body: { codigo: 'muitasTentativas' } })
    expect(ia.fake.requests).toHaveLength(10)
    expect((await suggest(dona, id)).status).toBe(200)
  })
})
