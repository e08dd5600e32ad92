import { type ApiClient, createApiClient } from '@balcao/e2e/api.ts'
import { at, until } from '@balcao/e2e/ready-conta.ts'
import { createBots, createFleet, withServer } from '../nodes/processes.ts'
import type { Started } from '../start.ts'

export interface Shop {
  readonly url: string
  readonly token: string
  readonly api: ApiClient
}

/** Without the limit of requests. The addresses of visitors are those that the bench names. */
const ENV = { REQUISICOES_POR_CONTA: '100000', TRUST_PROXY: '1' }

/** Runs `work` with one process of the product and accounts whose first line is connected to the simulador. */
export function withShops<T>(count: number, work: (shops: readonly Shop[], node: Started) => Promise<T>): Promise<T> {
  return withServer({}, async ({ server }) => {
    const fleet = createFleet(server, ENV)
    try {
      const node = await fleet.add()
      const tokens = await createBots([node], count)
      const { url } = node
      return await work(
        tokens.map((token) => ({ url, token, api: createApiClient(url, token, 'aberta') })),
        node,
      )
    } finally {
      await fleet.close()
    }
  })
}

/** Adds a line and waits until it is connected. Returns its id. */
export async function addLine({ api }: Shop, nome: string, conector: 'simulador' | 'webchat'): Promise<string> {
  const id = String(at(await api.post('/linhas', { nome, conector }), 'linha', 'id'))
  if (conector === 'simulador') {
    await api.post(`/linhas/${id}/iniciar`)
    await until(async () => (await api.status('POST', '/simulador/escanear', { linhaId: id })) === 200, 20)
  }
  await until(async () => at(await api.get(`/linhas/${id}/status`), 'status') === 'CONECTADO', 20)
  return id
}

let customers = 0
export const newPhone = (): string => `55119${String(20_000_000 + (customers += 1))}`

/** Resolves when the message is stored with its answers. */
export async function writes({ api }: Shop, telefone: string, texto: string, linhaId?: string): Promise<void> {
  await api.post('/simulador/mensagens', { telefone, nome: `Cliente ${telefone}`, texto, linhaId })
}

/** Runs `work` for each item, at most `limit` at once. */
export async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const next = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: limit }, next))
}
