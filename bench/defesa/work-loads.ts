import { createHmac, randomUUID } from 'node:crypto'
import { createPushService } from '@balcao/server/testing'
import { type ApiClient, createApiClient } from '@balcao/e2e/api.ts'
import { at, until } from '@balcao/e2e/ready-conta.ts'
import { pause } from '../messages/meters.ts'
import type { LoadOptions } from './loads.ts'

/** Loads that one conta leaves to the server: they resolve when the work has begun. */

const IMPORTED_ROWS = 50_000
const FILES = 3
const SCHEDULED = 5_000
const PER_CONVERSA = 50
/** The preparation of all of them, at 100 requests a second, and the minute that a message must be ahead. */
const SCHEDULE_AHEAD_MS = 240_000
const LONG_TEXT = 'á '.repeat(32_768)
const LONG_TEXTS_AT_ONCE = 4

const phoneOf = (first: number, n: number): string => `55119${String(first + n)}`

/** Ends with the process. */
async function repeat(work: (n: number) => Promise<void>): Promise<never> {
  for (let n = 0; ; n += 1) await work(n)
}

/** Imports files of 50,000 contacts, one after the other. Each file is new once and known afterwards. */
export function importContatos({ url, token, count }: LoadOptions): void {
  void repeat(async (n) => {
    const rows = Array.from(
      { length: IMPORTED_ROWS },
      (_, row) => `Cliente ${row},${phoneOf(10_000_000 + (n % FILES) * IMPORTED_ROWS, row)}`,
    )
    const form = new FormData()
    form.set('arquivo', new File([`nome,telefone\n${rows.join('\n')}`], 'contatos.csv'))
    const headers = { authorization: `Bearer ${token}` }
    const reply = await fetch(`${url}/api/contatos/importar`, { method: 'POST', headers, body: form })
    await reply.arrayBuffer()
    count(String(reply.status))
    if (!reply.ok) await pause(1_000)
  })
}

async function handOff(api: ApiClient, telefone: string): Promise<void> {
  await api.post('/simulador/mensagens', { telefone, nome: 'Cliente', texto: 'atendente' })
}

/** Schedules 5,000 messages for one instant. Resolves at that instant. */
export async function scheduleTogether({ url, token, count }: LoadOptions): Promise<void> {
  const api = createApiClient(url, token, 'aberta')
  const due = Date.now() + SCHEDULE_AHEAD_MS
  const conversas = SCHEDULED / PER_CONVERSA
  for (let n = 0; n < conversas; n += 1) await handOff(api, phoneOf(50_000_000, n))
  const list = at(await api.get(`/atendimento/conversas?limite=${conversas}&mensagens=0`), 'conversas')
  const ids = Array.isArray(list) ? list.map((conversa: unknown) => String(at(conversa, 'id'))) : []
  for (const id of ids) {
    for (let n = 0; n < PER_CONVERSA; n += 1) {
      const body = { mensagem: `Bom dia ${n}`, enviarEm: new Date(due).toISOString(), cancelarSeResponder: false }
      count(String(await api.status('POST', `/atendimento/conversas/${id}/agendadas`, body)))
      // Below the request limit of the token.
      await pause(12)
    }
  }
  await pause(Math.max(0, due - Date.now()))
}

/** Three browsers whose service accepts notices and never answers, with many waiting customers and tests. */
export async function silencePush({ url, token, count }: LoadOptions): Promise<void> {
  const silent = await createPushService()
  silent.silent = true
  const api = createApiClient(url, token, 'aberta')
  for (const name of ['a', 'b', 'c']) await api.post('/push/inscricoes', silent.subscription(name))
  void repeat(async (n) => {
    count(String(await api.status('POST', '/push/teste')))
    await handOff(api, phoneOf(60_000_000, n)).catch(() => count('failed'))
    await pause(50)
  })
  await until(() => silent.received.length > 0)
}

const NUMBER = { telefoneId: '100200300', contaWhatsappId: '900800700' }
const SECRET = 'segredo-da-meta'

/** Customers write texts of 65,536 characters through Meta. */
export async function writeLongTexts({ url, token, count }: LoadOptions): Promise<void> {
  const api = createApiClient(url, token)
  const config = at(await api.get('/config'), 'config')
  const whatsapp = { ...Object(at(config, 'whatsapp')), conector: 'oficial' }
  await api.put('/config', { ...Object(config), whatsapp })
  const saved = await api.put('/whatsapp-oficial', { ...NUMBER, token: 'EAAtoken', segredo: SECRET })
  const { pathname } = new URL(String(at(saved, 'oficial', 'webhook', 'url')))
  await api.post('/bot/iniciar')
  await until(async () => at(await api.get('/bot/status'), 'status') === 'CONECTADO')
  const lane = (lane: number): Promise<never> =>
    repeat(async (n) => {
      const body = webhookOf(phoneOf(40_000_000 + lane * 1_000_000, n % 1_000))
      const signature = createHmac('sha256', SECRET).update(body).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
      const reply = await fetch(`${url}${pathname}`, { method: 'POST', headers, body })
      await reply.arrayBuffer()
      count(String(reply.status))
      if (!reply.ok) await pause(100)
    })
  for (let started = 0; started < LONG_TEXTS_AT_ONCE; started += 1) void lane(started)
}

function webhookOf(from: string): string {
  const text = { type: 'text', text: { body: LONG_TEXT }, timestamp: String(Math.floor(Date.now() / 1_000)) }
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '5511990000001', phone_number_id: NUMBER.telefoneId },
    contacts: [{ profile: { name: 'Cliente' }, wa_id: from }],
    messages: [{ from, id: `wamid.${randomUUID()}`, ...text }],
  }
  const entry = [{ id: NUMBER.contaWhatsappId, changes: [{ field: 'messages', value }] }]
  return JSON.stringify({ object: 'whatsapp_business_account', entry })
}
