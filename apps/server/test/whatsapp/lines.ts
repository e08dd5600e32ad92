import {
  createFakeCustomer,
  createFakePhone,
  type FakeCustomer,
  type FakePhone,
  type FakeServer,
} from '@balcao/whatsapp/rede-falsa'
import type { ClientBase, Pool } from 'pg'
import { PASSWORD, type TestUser, waitUntil } from '#test/app.ts'
import { givenConta, saveConfig } from '#test/builders.ts'
import { at, type NodeProcess } from '#test/fleet/processes.ts'

/** A conta whose bot is linked to a phone of the fake network. */
export interface Line {
  readonly shop: TestUser
  readonly phone: FakePhone
}

let phones = 0
let customers = 0

/** Returns the devices whose new line opened while the previous one was open. The set grows. */
export function watchOverlaps(network: FakeServer): Set<string> {
  const overlapping = new Set<string>()
  const open = new Map<string, number>()
  network.events.on('conectou', ({ jid }) => {
    open.set(jid, (open.get(jid) ?? 0) + 1)
    if ((open.get(jid) ?? 0) > 1) overlapping.add(jid)
  })
  network.events.on('caiu', ({ jid }) => open.set(jid, (open.get(jid) ?? 1) - 1))
  return overlapping
}

const statusOf = async (node: NodeProcess, shop: TestUser): Promise<Record<string, unknown>> =>
  (await at(node, shop).request('GET', '/bot/status')).body

interface Place {
  readonly node: NodeProcess
  /** Owner of the tables. */
  readonly owner: Pool | ClientBase
}

/** Creates a conta and links its bot to a new phone. */
export async function givenLine(network: FakeServer, { node, owner }: Place): Promise<Line> {
  // The product limits the logins of an hour.
  await owner.query('delete from tentativas')
  const admin = await node.login()
  const shop = await givenConta({ request: admin.request, login: (email) => node.login(email, PASSWORD) })
  await saveConfig(shop, (config) => ({ ...config, whatsapp: { ...config.whatsapp, conector: 'whatsapp' } }))
  const digits = String((phones += 1)).padStart(4, '0')
  const phone = createFakePhone(network, { numero: `551199000${digits}`, lid: `10000000000${digits}`, nome: 'Loja' })
  await shop.request('POST', '/bot/iniciar')
  await waitUntil(async () => (await statusOf(node, shop))['status'] === 'AGUARDANDO_QR')
  await phone.scan(String((await statusOf(node, shop))['qrCode']))
  await waitUntil(async () => (await statusOf(node, shop))['status'] === 'CONECTADO')
  return { shop, phone }
}

export function newCustomer(network: FakeServer): FakeCustomer {
  const digits = String((customers += 1)).padStart(4, '0')
  return createFakeCustomer(network, { numero: `551198000${digits}`, lid: `20000000000${digits}`, nome: 'Zoé' })
}

export const isOpen = ({ devices }: FakePhone): boolean =>
  [...devices.values()].every(({ connection }) => connection !== null)
