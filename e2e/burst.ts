import type { ApiClient } from './api.ts'
import { at, type ReadyConta, until } from './ready-conta.ts'

/** A burst of customers. Each message has exactly one expected answer. */

const MENU_OPTIONS = 9
const GREETING = 'oi'
/** At 100 ms, the repeats of all customers take CPU from a product that starts. */
const REPEAT_MS = 500
const MENU_TITLE = 'Padaria Aurora: escolha de 1 a 9'

/**
 * Every answer is one message and names its question and its customer. The menu text lists every option, so the bot
 * appends nothing to it.
 */
export const BURST_MENU = {
  menuPrincipal: [MENU_TITLE, ...Array.from({ length: MENU_OPTIONS }, (_, i) => `${i + 1}`)].join('\n'),
  opcoes: Array.from({ length: MENU_OPTIONS }, (_, i) => ({
    numero: String(i + 1),
    titulo: `Assunto ${i + 1}`,
    tipo: 'mensagem',
    resposta: `Resposta ${i + 1} para {nome}`,
  })),
  mensagens: {
    boasVindas: '',
    opcaoInvalida: 'inválida',
    semEntender: 'não entendi',
    aguardandoAtendente: 'aguarde',
    foraPeriodo: 'fora',
    despedida: 'tchau',
  },
  digitando: false,
}

interface BurstMessage {
  readonly id: string
  readonly texto: string
}

export interface BurstCustomer {
  readonly nome: string
  readonly telefone: string
  readonly mensagens: readonly BurstMessage[]
}

/** Stays below the loop guard: 15 answers a minute and 6 equal texts per customer. */
export function burstCustomers(group: number, count: number, messages: number): BurstCustomer[] {
  return Array.from({ length: count }, (_, c) => ({
    nome: `Cliente ${group}-${c}`,
    telefone: `+55119${group}${String(c).padStart(7, '0')}`,
    mensagens: Array.from({ length: messages }, (_m, m) => ({
      id: `${group}-${c}-${m}`,
      texto: m === 0 ? GREETING : String(((c + m) % MENU_OPTIONS) + 1),
    })),
  }))
}

/** The expected chat of a customer: each question once, in order, each followed by its answer. */
export function expectedChat({ nome, mensagens }: BurstCustomer): string[] {
  return mensagens.flatMap(({ id, texto }) => [
    `cliente ${id}: ${texto}`,
    texto === GREETING ? `bot: ${BURST_MENU.menuPrincipal}` : `bot: Resposta ${texto} para ${nome}`,
  ])
}

interface Burst {
  readonly accepted: () => number
  readonly repeated: () => number
  readonly done: Promise<void>
}

/**
 * Posts the messages of all customers in parallel, each customer's in order. A post without a 202 is repeated with
 * the same id.
 */
export function startBurst({ apis }: ReadyConta, customers: readonly BurstCustomer[]): Burst {
  let aceitas = 0
  let repetidas = 0
  const postar = async (api: ApiClient, { nome, telefone }: BurstCustomer, mensagem: BurstMessage): Promise<void> => {
    await until(async () => {
      const status = await api.status('POST', '/simulador/mensagens', { nome, telefone, ...mensagem }).catch(() => 0)
      if (status === 202) aceitas += 1
      else repetidas += 1
      return status === 202
    }, REPEAT_MS)
  }
  const chain = async (cliente: BurstCustomer, index: number): Promise<void> => {
    const api = apis[index % apis.length]
    if (api === undefined) throw new Error('login missing')
    for (const mensagem of cliente.mensagens) await postar(api, cliente, mensagem)
  }
  const fim = Promise.all(customers.map(chain)).then(() => undefined)
  return { accepted: () => aceitas, repeated: () => repetidas, done: fim }
}

async function readChat(api: ApiClient, telefone: string): Promise<string[]> {
  let lista: unknown
  // Repeats refused requests, for example over the request limit.
  await until(async () => {
    lista = at(
      await api.get(`/simulador/mensagens?telefone=${encodeURIComponent(telefone)}`).catch(() => undefined),
      'mensagens',
    )
    return lista !== undefined
  })
  if (!Array.isArray(lista)) throw new Error('list of messages missing')
  return lista.map((item: unknown) =>
    at(item, 'de') === 'cliente'
      ? `cliente ${String(at(item, 'id'))}: ${String(at(item, 'texto'))}`
      : `bot: ${String(at(item, 'texto'))}`,
  )
}

/** Equal readings after which an open question counts as unanswered. */
const UNANSWERED_READINGS = 20

/** Reads every customer's chat until two readings are equal and hold no open question. */
export async function readChats(
  { apis }: ReadyConta,
  customers: readonly BurstCustomer[],
): Promise<Map<string, string[]>> {
  const lerTodas = async (): Promise<Map<string, string[]>> => {
    const listas = new Map<string, string[]>()
    await Promise.all(
      apis.map(async (api, a) => {
        for (const [index, { nome, telefone }] of customers.entries())
          if (index % apis.length === a) listas.set(nome, await readChat(api, telefone))
      }),
    )
    return listas
  }
  let before = ''
  let equal = 0
  let listas = new Map<string, string[]>()
  await until(async () => {
    listas = await lerTodas()
    const now = JSON.stringify([...listas].toSorted(([a], [b]) => a.localeCompare(b)))
    equal = now === before ? equal + 1 : 0
    before = now
    const respondidas = [...listas.values()].every((lista) => lista.at(-1)?.startsWith('bot:') === true)
    return equal >= (respondidas ? 1 : UNANSWERED_READINGS)
  })
  return listas
}
