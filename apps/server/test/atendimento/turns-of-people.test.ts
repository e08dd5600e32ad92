import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contagensSchema } from '@balcao/contract/entities/contagens'
import type { ResponseOf } from '@balcao/contract/define-route'
import { conversaHumanaRoute, conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { avisosRoute } from '@balcao/contract/routes/avisos'
import { waitUntil } from '#test/app.ts'
import { type AtendimentoApp, type AtendimentoUser, createAtendimentoApp } from './atendimento-app.ts'

type ListPage = ResponseOf<typeof conversasHumanasRoute>

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

const conversaOf = async ({ request }: AtendimentoUser, id: string) =>
  conversaHumanaRoute.response.parse((await request('GET', `/atendimento/conversas/${id}`)).body).conversa
const contagensOf = async ({ request }: AtendimentoUser) =>
  contagensSchema.parse((await request('GET', '/atendimento/contagens')).body)
const avisosOf = async ({ request }: AtendimentoUser) =>
  avisosRoute.response.parse((await request('GET', '/avisos')).body)
const idsOf = async (user: AtendimentoUser, visao: string): Promise<string[]> =>
  (await user.list(`limite=200&visao=${visao}`)).map(({ id }) => id)
const mark = ({ request }: AtendimentoUser, id: string, what: string, body: object) =>
  request('PUT', `/atendimento/conversas/${id}/${what}`, body)
const lastMensagem = async (user: AtendimentoUser, id: string): Promise<string> =>
  (await conversaOf(user, id)).mensagens.at(-1)?.id ?? ''

describe('the turn of the shop in a conversa', () => {
  it('begins with the customer and ends with the message of a person', async () => {
    const { id, telefone } = await shop.newWaitingCustomer()
    const { semRespostaDesde } = await conversaOf(shop.dona, id)
    expect(semRespostaDesde).toBeDefined()
    await shop.rui.act(id, 'assumir')
    await shop.customerSays(telefone, 'alguém?')
    expect((await conversaOf(shop.rui, id)).semRespostaDesde).toBe(semRespostaDesde)
    await shop.rui.act(id, 'mensagem', { mensagem: 'Olá!' })
    expect(await conversaOf(shop.rui, id)).not.toHaveProperty('semRespostaDesde')
    await shop.customerSays(telefone, 'quanto custa?')
    await waitUntil(async () => (await conversaOf(shop.rui, id)).semRespostaDesde !== undefined)
    const events = shop.dona.events.flatMap(({ evento, dados }) =>
      evento === 'mensagemConversaHumana' && dados.conversaId === id ? [dados.situacao?.semRespostaDesde] : [],
    )
    expect(events).toContain(null)
    expect(events.at(-1)).toBe((await conversaOf(shop.dona, id)).semRespostaDesde)
  })

  it('shows unanswered customers first, the longest wait before others', async () => {
    const first = await shop.newWaitingCustomer()
    const answered = await shop.newWaitingCustomer()
    const last = await shop.newWaitingCustomer()
    for (const { id } of [first, answered, last]) await shop.rui.act(id, 'assumir')
    await shop.rui.act(answered.id, 'mensagem', { mensagem: 'Pronto' })
    const shown = (await idsOf(shop.rui, 'minhas')).filter((id) => [first.id, answered.id, last.id].includes(id))
    expect(shown).toEqual([first.id, last.id, answered.id])
    expect(await idsOf(shop.rui, 'semResposta')).not.toContain(answered.id)
    expect(await idsOf(shop.rui, 'fila')).not.toContain(first.id)
    expect(await idsOf(shop.dona, 'todas')).toContain(answered.id)
  })

  it('pages through a view without a gap or a repetition', async () => {
    const whole = await idsOf(shop.dona, 'todas')
    const paged: string[] = []
    const path = '/atendimento/conversas?visao=todas&limite=2&mensagens=0'
    for (let next: string | undefined = ''; next !== undefined;) {
      const { body } = await shop.dona.request('GET', next === '' ? path : `${path}&cursor=${next}`)
      const page: ListPage = conversasHumanasRoute.response.parse(body)
      paged.push(...page.conversas.map(({ id }) => id))
      next = page.proximoCursor
    }
    expect(paged).toEqual(whole)
    expect(whole.length).toBeGreaterThan(3)
    expect(await shop.dona.request('GET', '/atendimento/conversas?visao=todas&cursor=2_x_y')).toMatchObject({
      status: 400,
    })
  })
})

describe('GET /atendimento/contagens', () => {
  it('equals the lists of the views, also in the event', async () => {
    const { id } = await shop.newWaitingCustomer()
    const equal = async (user: AtendimentoUser): Promise<void> => {
      const { minhas, minhasSemResposta, fila, todas, esperaMaisLonga } = await contagensOf(user)
      const mine = await user.list('limite=200&visao=minhas')
      const queue = await user.list('limite=200&visao=fila')
      expect({ minhas, minhasSemResposta, fila, todas }).toEqual({
        minhas: mine.length,
        minhasSemResposta: mine.filter(({ semRespostaDesde }) => semRespostaDesde !== undefined).length,
        fila: queue.length,
        todas: (await user.list('limite=200&visao=todas')).length,
      })
      const longest = queue.toSorted((one, other) => (one.aguardandoDesde < other.aguardandoDesde ? -1 : 1))[0]
      expect(esperaMaisLonga).toEqual({ conversaId: longest?.id, desde: longest?.aguardandoDesde })
    }
    await equal(shop.dona)
    await shop.rui.act(id, 'assumir')
    await shop.newWaitingCustomer()
    await equal(shop.rui)
    const { minhas } = await contagensOf(shop.rui)
    await waitUntil(() =>
      shop.rui.events.some(({ evento, dados }) => evento === 'contagensMudaram' && dados.minhas === minhas),
    )
    expect(shop.vizinha.events.map(({ evento }) => evento)).not.toContain('contagensMudaram')
  })
})

describe('PUT /atendimento/conversas/:id/leitura', () => {
  it('keeps the position of each person and never moves it backwards', async () => {
    const { id, telefone } = await shop.newWaitingCustomer()
    const before = await lastMensagem(shop.rui, id)
    await shop.customerSays(telefone, 'um')
    await shop.customerSays(telefone, 'dois')
    await waitUntil(async () => (await conversaOf(shop.rui, id)).naoLidas === 3)
    const newest = await lastMensagem(shop.rui, id)
    expect((await mark(shop.rui, id, 'leitura', { ate: newest })).status).toBe(204)
    expect((await mark(shop.rui, id, 'leitura', { ate: before })).status).toBe(204)
    expect((await conversaOf(shop.rui, id)).minha).toEqual({ naoLidas: 0, marcada: false, fixada: false })
    expect((await conversaOf(shop.dona, id)).minha?.naoLidas).toBe(3)
    await shop.customerSays(telefone, 'três')
    await waitUntil(async () => (await conversaOf(shop.rui, id)).minha?.naoLidas === 1)
    expect((await mark(shop.rui, id, 'leitura', { marcada: true })).status).toBe(204)
    expect((await conversaOf(shop.rui, id)).minha?.marcada).toBe(true)
    await waitUntil(() => shop.rui.events.some(({ evento, dados }) => evento === 'leituraMudou' && dados.minha.marcada))
    expect(shop.dona.events.map(({ evento }) => evento)).not.toContain('leituraMudou')
  })

  it('refuses a message of another conversa, another conta and wrong bodies', async () => {
    const { id } = await shop.newWaitingCustomer()
    const other = await shop.newWaitingCustomer()
    const foreign = await lastMensagem(shop.rui, other.id)
    expect((await mark(shop.rui, id, 'leitura', { ate: foreign })).status).toBe(404)
    expect((await mark(shop.vizinha, id, 'leitura', { marcada: true })).status).toBe(404)
    expect((await mark(shop.rui, 'nada', 'leitura', { marcada: true })).status).toBe(404)
    for (const body of [{}, { marcada: false }, { ate: 7 }]) {
      expect((await mark(shop.rui, id, 'leitura', body)).status).toBe(400)
    }
  })
})

describe('PUT /atendimento/conversas/:id/lembrar', () => {
  const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

  it('hides the conversa from the views of the person until the customer writes', async () => {
    const { id, telefone } = await shop.newWaitingCustomer()
    const em = inMinutes(60)
    expect((await mark(shop.rui, id, 'lembrar', { em })).status).toBe(204)
    expect(await idsOf(shop.rui, 'fila')).not.toContain(id)
    expect((await contagensOf(shop.rui)).fila).toBe((await idsOf(shop.rui, 'fila')).length)
    expect(await idsOf(shop.rui, 'todas')).toContain(id)
    expect(await idsOf(shop.dona, 'fila')).toContain(id)
    expect((await conversaOf(shop.rui, id)).minha?.lembrarEm).toBe(em)
    await shop.customerSays(telefone, 'voltei')
    await waitUntil(async () => (await idsOf(shop.rui, 'fila')).includes(id))
    const aviso = await waitUntil(
      async () => (await avisosOf(shop.rui)).avisos.find(({ conversaId }) => conversaId === id) ?? null,
    )
    expect(aviso).toMatchObject({ tipo: 'lembrete', texto: 'Bia escreveu de novo.' })
    await waitUntil(() =>
      shop.rui.events.some(({ evento, dados }) => evento === 'avisoNovo' && dados.aviso.conversaId === id),
    )
  })

  it('gives one notice when the time comes', async () => {
    const { id } = await shop.newWaitingCustomer()
    await mark(shop.dona, id, 'lembrar', { em: inMinutes(5) })
    await shop.app.sql(`update leituras set lembrar_em = now() - interval '1 second' where conversa_id = '${id}'`)
    const due = async () => (await avisosOf(shop.dona)).avisos.filter(({ conversaId }) => conversaId === id)
    await waitUntil(async () => (await due()).length > 0)
    expect((await due()).map(({ texto }) => texto)).toEqual(['Você pediu para lembrar de Bia.'])
    expect((await avisosOf(shop.dona)).naoLidos).toBeGreaterThan(0)
    const [newest] = (await avisosOf(shop.dona)).avisos
    expect((await shop.dona.request('PUT', '/avisos/lidos', { ate: newest?.id })).status).toBe(204)
    expect((await avisosOf(shop.dona)).naoLidos).toBe(0)
  })

  it.each([inMinutes(-5), inMinutes(0.2), inMinutes(91 * 24 * 60), 'amanhã'])('refuses %s', async (em) => {
    const { id } = await shop.newWaitingCustomer()
    expect((await mark(shop.rui, id, 'lembrar', { em })).status).toBe(400)
    expect(await idsOf(shop.rui, 'fila')).toContain(id)
  })
})

describe('PUT /atendimento/conversas/:id/fixar', () => {
  it('puts ten conversas of a person on top and refuses the eleventh', async () => {
    const customers: string[] = []
    for (let n = 0; n < 11; n += 1) customers.push((await shop.newWaitingCustomer()).id)
    const pinned = customers.slice(1)
    const answers = await Promise.all(pinned.map((id) => mark(shop.rui, id, 'fixar', { fixada: true })))
    expect(answers.map(({ status }) => status)).toEqual(pinned.map(() => 204))
    const [first = ''] = customers
    expect(await mark(shop.rui, first, 'fixar', { fixada: true })).toMatchObject({
      status: 409,
      body: { codigo: 'limiteDeItens' },
    })
    expect((await idsOf(shop.rui, 'fila')).slice(0, 10).toSorted()).toEqual(pinned.toSorted())
    const all = await idsOf(shop.rui, 'fila')
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('POST /atendimento/conversas/:id/digitando', () => {
  it('publishes to colleagues that a person types', async () => {
    const { id } = await shop.newWaitingCustomer()
    expect((await shop.rui.act(id, 'digitando')).status).toBe(200)
    await waitUntil(() =>
      shop.dona.events.some(({ evento, dados }) => evento === 'colegaDigitando' && dados.operador === 'Rui'),
    )
  })
})
