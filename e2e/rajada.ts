import type { Api } from './api.ts'
import { at, type LojaPronta, until } from './loja-pronta.ts'

/** A burst of customers. Each message has exactly one expected answer. */

const OPCOES = 9
const SAUDACAO = 'oi'
const MENU = 'Padaria Aurora: escolha de 1 a 9'

/**
 * Every answer is one message and names its question and its customer. The menu text lists every option, so the bot
 * appends nothing to it.
 */
export const MENU_DA_RAJADA = {
  menuPrincipal: [MENU, ...Array.from({ length: OPCOES }, (_, i) => `${i + 1}`)].join('\n'),
  opcoes: Array.from({ length: OPCOES }, (_, i) => ({
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

interface Mensagem {
  readonly id: string
  readonly texto: string
}

export interface Cliente {
  readonly nome: string
  readonly telefone: string
  readonly mensagens: readonly Mensagem[]
}

/** Stays below the loop guard: 15 answers a minute and 6 equal texts per customer. */
export function clientesDe(grupo: number, quantos: number, mensagens: number): Cliente[] {
  return Array.from({ length: quantos }, (_, c) => ({
    nome: `Cliente ${grupo}-${c}`,
    telefone: `+55119${grupo}${String(c).padStart(7, '0')}`,
    mensagens: Array.from({ length: mensagens }, (_m, m) => ({
      id: `${grupo}-${c}-${m}`,
      texto: m === 0 ? SAUDACAO : String(((c + m) % OPCOES) + 1),
    })),
  }))
}

/** The expected chat of a customer: each question once, in order, each followed by its answer. */
export function conversaCerta({ nome, mensagens }: Cliente): string[] {
  return mensagens.flatMap(({ id, texto }) => [
    `cliente ${id}: ${texto}`,
    texto === SAUDACAO ? `bot: ${MENU_DA_RAJADA.menuPrincipal}` : `bot: Resposta ${texto} para ${nome}`,
  ])
}

interface Rajada {
  readonly aceitas: () => number
  readonly repetidas: () => number
  readonly fim: Promise<void>
}

/**
 * Posts the messages of all customers in parallel, each customer's in order. A post without a 202 is repeated with
 * the same id.
 */
export function dispararRajada({ apis }: LojaPronta, clientes: readonly Cliente[]): Rajada {
  let aceitas = 0
  let repetidas = 0
  const postar = async (api: Api, { nome, telefone }: Cliente, mensagem: Mensagem): Promise<void> => {
    await until(async () => {
      const status = await api.status('POST', '/simulador/mensagens', { nome, telefone, ...mensagem }).catch(() => 0)
      if (status === 202) aceitas += 1
      else repetidas += 1
      return status === 202
    })
  }
  const cadeia = async (cliente: Cliente, indice: number): Promise<void> => {
    const api = apis[indice % apis.length]
    if (api === undefined) throw new Error('login missing')
    for (const mensagem of cliente.mensagens) await postar(api, cliente, mensagem)
  }
  const fim = Promise.all(clientes.map(cadeia)).then(() => undefined)
  return { aceitas: () => aceitas, repetidas: () => repetidas, fim }
}

async function ler(api: Api, telefone: string): Promise<string[]> {
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
const SEM_RESPOSTA = 20

/** Reads every customer's chat until two readings are equal and hold no open question. */
export async function lerConversas({ apis }: LojaPronta, clientes: readonly Cliente[]): Promise<Map<string, string[]>> {
  const lerTodas = async (): Promise<Map<string, string[]>> => {
    const listas = new Map<string, string[]>()
    await Promise.all(
      apis.map(async (api, a) => {
        for (const [indice, { nome, telefone }] of clientes.entries())
          if (indice % apis.length === a) listas.set(nome, await ler(api, telefone))
      }),
    )
    return listas
  }
  let antes = ''
  let iguais = 0
  let listas = new Map<string, string[]>()
  await until(async () => {
    listas = await lerTodas()
    const agora = JSON.stringify([...listas].toSorted(([a], [b]) => a.localeCompare(b)))
    iguais = agora === antes ? iguais + 1 : 0
    antes = agora
    const respondidas = [...listas.values()].every((lista) => lista.at(-1)?.startsWith('bot:') === true)
    return iguais >= (respondidas ? 1 : SEM_RESPOSTA)
  })
  return listas
}
