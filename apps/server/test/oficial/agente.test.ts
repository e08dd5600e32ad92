import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { finishQuietAgentConversas } from '#modules/atendimento/index.ts'
import { createFakeMeta, deliverWebhook, type FakeMeta, webhookBody } from './fake-meta.ts'
import { type MetaLoja, startMetaLoja, untilSettled } from './meta-loja.ts'
import { createMetaPerson, type MetaPerson, nowSeconds } from './meta-person.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { type TestSocket } from '#test/realtime/sockets.ts'
import { openConversas } from '#test/builders.ts'

/** Copies of what Meta's own agent and its customers write: shown, never answered, until a person writes. */

let meta: FakeMeta
let app: TestApp
let loja: MetaLoja
let panel: TestSocket
let people = 0

beforeAll(async () => {
  meta = await createFakeMeta()
  app = await createTestApp({ oficialUrl: meta.url, oficialTimings: { confirmationMs: 50, reconnectDelay: () => 50 } })
  loja = await startMetaLoja(app, meta)
  panel = await app.connect(app.admin)
})
afterAll(async () => {
  await app.close()
  await meta.close()
})
beforeEach(() => {
  panel.received.splice(0)
})

interface Quem extends MetaPerson {
  readonly name: string
  readonly names: { readonly number: string; readonly userId: string }
}

function pessoa(apelido: string): Quem {
  people += 1
  const digits = String(people).padStart(4, '0')
  const name = `${apelido} ${digits}`
  const names = { number: `551194001${digits}`, userId: `BR.400${digits}A` }
  return { ...createMetaPerson({ meta, webhook: () => loja.webhook(app), name }), name, names }
}

const settled = () => untilSettled(app)
const todasDe = async ({ name }: Quem): Promise<Conversa[]> =>
  (await openConversas(app)).filter(({ cliente }) => cliente.nome === name)
async function conversaDe(quem: Quem): Promise<Conversa> {
  const [conversa, ...others] = await todasDe(quem)
  if (conversa === undefined || others.length > 0) throw new Error(`${others.length + 1} conversas of ${quem.name}`)
  return conversa
}
const ler = async (id: string): Promise<Conversa> =>
  conversaHumanaRoute.response.parse((await app.request('GET', `/atendimento/conversas/${id}`)).body).conversa
const linha = ({ mensagens }: Conversa): string[] => mensagens.map(({ remetente, texto }) => `${remetente}: ${texto}`)
const eventos = (name: string): unknown[] => panel.received.filter(([event]) => event === name).map(([, data]) => data)
const estadoDe = async ({ name }: Quem) =>
  (await app.sql('select estado from contatos where nome = $1', [name]))[0]?.['estado']

/** The agent has answered the customer's question. */
async function atendidoPeloAgente(quem: Quem): Promise<string> {
  await quem.saysToAgent(quem.names, 'vocês abrem domingo?')
  await quem.agentSays(quem.names, 'Abrimos às 9h.')
  await settled()
  return (await conversaDe(quem)).id
}

describe('service of Meta’s agent', () => {
  it('shows both sides as served by the agent and answers nothing', async () => {
    const quem = pessoa('Ana')
    await atendidoPeloAgente(quem)
    const conversa = await conversaDe(quem)
    expect(conversa).toMatchObject({ status: 'em_atendimento', agenteMeta: true, naoLidas: 0, setor: 'geral' })
    expect(conversa.operadorId).toBeUndefined()
    expect(linha(conversa)).toEqual([`${quem.name}: vocês abrem domingo?`, 'Agente da Meta: Abrimos às 9h.'])
    expect(conversa.mensagens.map(({ agenteMeta }) => agenteMeta)).toEqual([undefined, true])
    expect(quem.received(quem.names)).toEqual([])
    expect(eventos('novaConversaHumana')).toMatchObject([{ conversa: { id: conversa.id, agenteMeta: true } }])
    expect(eventos('mensagemConversaHumana')).toMatchObject([{ mensagem: { texto: 'Abrimos às 9h.' } }])
  })

  it('answers nothing when the copies lie beside the envelope', async () => {
    const quem = pessoa('Bento')
    const { number, userId } = quem.names
    const value = {
      contacts: [{ profile: { name: quem.name }, wa_id: number, user_id: userId }],
      messages: [
        {
          ...{ from: number, from_user_id: userId, id: 'wamid.BENTO', timestamp: String(nowSeconds()), type: 'text' },
          text: { body: 'atendente' },
        },
      ],
    }
    const body = webhookBody(meta, value, meta.number.telefoneId, 'standby')
    expect(await deliverWebhook(loja.webhook(app), body, meta.secret)).toBe(200)
    await settled()
    expect(await conversaDe(quem)).toMatchObject({ agenteMeta: true, status: 'em_atendimento' })
    expect(quem.received(quem.names)).toEqual([])
  })

  it('changes nothing when copies repeat', async () => {
    const quem = pessoa('Cida')
    const sent = { id: 'wamid.CIDA', at: nowSeconds() }
    await quem.saysToAgent(quem.names, 'oi', sent)
    await settled()
    const before = await conversaDe(quem)
    await quem.saysToAgent(quem.names, 'oi', sent)
    await settled()
    expect(await conversaDe(quem)).toEqual(before)
  })

  it('obeys a stop request without an answer', async () => {
    const quem = pessoa('Davi')
    await quem.saysToAgent(quem.names, 'PARAR')
    await settled()
    expect(await conversaDe(quem)).toMatchObject({ agenteMeta: true, pediuParada: true })
    expect(quem.received(quem.names)).toEqual([])
    await quem.saysToAgent(quem.names, 'VOLTAR')
    await settled()
    expect((await conversaDe(quem)).pediuParada).toBeUndefined()
    const atos = await app.sql(
      'select s.ato from consentimentos s join contatos c on c.id = s.contato_id where c.nome = $1 order by s.id',
      [quem.name],
    )
    expect(atos).toEqual([{ ato: 'parada' }, { ato: 'retomada' }])
  })

  it('takes over the conversa that the bot had begun', async () => {
    const quem = pessoa('Eva')
    await quem.says(quem.names, 'oi')
    await settled()
    const before = quem.received(quem.names).length
    await quem.saysToAgent(quem.names, 'quanto custa?')
    await settled()
    expect(linha(await conversaDe(quem))).toContain(`${quem.name}: quanto custa?`)
    expect((await conversaDe(quem)).agenteMeta).toBe(true)
    expect(quem.received(quem.names)).toHaveLength(before)
    const conversas = await app.sql(
      'select v.status from conversas v join contatos c on c.id = v.contato_id where c.nome = $1',
      [quem.name],
    )
    expect(conversas).toEqual([{ status: 'em_atendimento' }])
  })
})

describe('taking over from the agent', () => {
  it('gives the conversa to the operador who writes', async () => {
    const quem = pessoa('Fábio')
    const id = await atendidoPeloAgente(quem)
    const mensagem = { mensagem: 'Aqui é a Joana, da loja.' }
    expect((await app.request('POST', `/atendimento/conversas/${id}/mensagem`, mensagem)).status).toBe(200)
    await settled()
    const conversa = await ler(id)
    expect(conversa).toMatchObject({ status: 'em_atendimento', operadorId: app.admin.usuario.id })
    expect(conversa.agenteMeta).toBeUndefined()
    expect(eventos('conversaAssumida')).toMatchObject([{ conversaId: id }])
    await quem.says(quem.names, 'oi, Joana')
    await settled()
    expect(quem.received(quem.names).map(({ text }) => text?.body)).toEqual(['Aqui é a Joana, da loja.'])
    expect((await ler(id)).status).toBe('em_atendimento')
  })

  it('gives the conversa to the operador who takes it', async () => {
    const quem = pessoa('Gil')
    const id = await atendidoPeloAgente(quem)
    expect((await app.request('POST', `/atendimento/conversas/${id}/assumir`)).status).toBe(200)
    const conversa = await ler(id)
    expect([conversa.operadorId, conversa.agenteMeta]).toEqual([app.admin.usuario.id, undefined])
    expect(quem.received(quem.names)).toEqual([])
  })

  it('takes the agent’s mark off when the owner writes on the phone', async () => {
    const quem = pessoa('Hugo')
    const id = await atendidoPeloAgente(quem)
    await quem.isToldOnPhone(quem.names, 'deixa comigo')
    await settled()
    const conversa = await ler(id)
    expect(conversa).toMatchObject({ status: 'aguardando', naoLidas: 0 })
    expect(conversa.agenteMeta).toBeUndefined()
    expect(eventos('novaConversaHumana')).toMatchObject([
      { conversa: { id, agenteMeta: true } },
      { conversa: { id, status: 'aguardando' }, atualizada: true },
    ])
  })

  it('queues the conversa for people when Meta sends the messages to us again', async () => {
    const quem = pessoa('Iara')
    const id = await atendidoPeloAgente(quem)
    await quem.says(quem.names, 'quero uma pessoa')
    await settled()
    const conversa = await ler(id)
    expect(conversa).toMatchObject({ status: 'aguardando', naoLidas: 1 })
    expect(conversa.agenteMeta).toBeUndefined()
    expect(quem.received(quem.names)).toEqual([])
    expect(await estadoDe(quem)).toMatchObject({ etapa: 'humano' })
    expect(eventos('novaConversaHumana').at(-1)).toMatchObject({ conversa: { id, status: 'aguardando', naoLidas: 1 } })
  })

  it('stays with the person when a copy from before arrives late', async () => {
    const quem = pessoa('João')
    const id = await atendidoPeloAgente(quem)
    await app.request('POST', `/atendimento/conversas/${id}/mensagem`, { mensagem: 'Sou eu, a Joana.' })
    await settled()
    await quem.agentSays(quem.names, 'Posso ajudar em algo mais?', { at: nowSeconds() - 30 })
    await settled()
    const conversa = await ler(id)
    expect(linha(conversa)).toContain('Agente da Meta: Posso ajudar em algo mais?')
    expect([conversa.operadorId, conversa.agenteMeta]).toEqual([app.admin.usuario.id, undefined])
  })

  it('shows the agent again when it writes after the person', async () => {
    const quem = pessoa('Jonas')
    const id = await atendidoPeloAgente(quem)
    const dizer = (mensagem: string) => app.request('POST', `/atendimento/conversas/${id}/mensagem`, { mensagem })
    await dizer('Sou eu, a Joana.')
    await settled()
    await quem.agentSays(quem.names, 'Posso ajudar?', { at: nowSeconds() + 5 })
    await settled()
    expect(await ler(id)).toMatchObject({ operadorId: app.admin.usuario.id, agenteMeta: true })
    await dizer('Continuo eu.')
    expect((await ler(id)).agenteMeta).toBeUndefined()
  })

  it('stays with the agent when an older message arrives late', async () => {
    const quem = pessoa('Kátia')
    const id = await atendidoPeloAgente(quem)
    await quem.says(quem.names, 'escrevi antes', { at: nowSeconds() - 60 })
    await settled()
    expect(await ler(id)).toMatchObject({ agenteMeta: true, status: 'em_atendimento' })
    expect(quem.received(quem.names)).toEqual([])
  })
})

describe('end of the agent’s service', () => {
  it('answers again after the agent has been silent', async () => {
    const quem = pessoa('Lia')
    const id = await atendidoPeloAgente(quem)
    await app.sql(`update conversas set ultima_atividade = ultima_atividade - interval '13 hours' where id = $1`, [id])
    await quem.says(quem.names, 'oi')
    await quem.hasRead(quem.names, 2)
    expect(await ler(id)).toMatchObject({ status: 'finalizada' })
    expect(eventos('conversaFinalizada')).toMatchObject([{ conversaId: id }])
    // Browsers know only this conversa: the bot serves the new one.
    for (const event of eventos('mensagemConversaHumana')) expect(event).toMatchObject({ conversaId: id })
  })

  it('finishes conversas after a day without messages', async () => {
    const [quiet, fresh] = [pessoa('Malu'), pessoa('Nina')]
    const id = await atendidoPeloAgente(quiet)
    const kept = await atendidoPeloAgente(fresh)
    await app.sql(`update conversas set ultima_atividade = ultima_atividade - interval '25 hours' where id = $1`, [id])
    expect(await finishQuietAgentConversas(app.deps)).toBe(1)
    expect((await ler(id)).status).toBe('finalizada')
    expect((await ler(kept)).agenteMeta).toBe(true)
    expect(eventos('conversaFinalizada')).toMatchObject([{ conversaId: id }])
  })
})
