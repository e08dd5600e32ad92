import type { BotBench, OutboundMessage } from '@balcao/server/bench'
import { channelOf } from '@balcao/contract/connectors'

/** A text must be equal, a pattern must match. */
export type ExpectedReply = string | RegExp

export interface ScriptLine {
  readonly text: string
  readonly replies: (name: string) => readonly ExpectedReply[]
}

const MENU_TEXT = (name: string): string =>
  `Menu de ${name}. Escolha um número para continuar, por favor:\n1 - Horários\n2 - Endereço\n0 - Sair`

export const SCRIPT: readonly ScriptLine[] = [
  { text: 'oi', replies: (name) => [`Olá, ${name}! Bem-vindo à nossa loja.`, MENU_TEXT(name)] },
  { text: '1', replies: (name) => [`${name}, abrimos de segunda a sexta, das 8h às 18h.`] },
  { text: 'que horas?', replies: (name) => [`Desculpe, ${name}, não entendi.`, MENU_TEXT(name)] },
  { text: '2', replies: (name) => [`${name}, estamos na Rua das Flores, 123, Centro.`] },
  { text: 'menu', replies: (name) => [MENU_TEXT(name)] },
  { text: '0', replies: (name) => [`Até logo, ${name}!`] },
]

export type HandIn = (cliente: BenchCustomer, id: string, texto: string) => Promise<void>

export interface BenchCustomer {
  readonly contaId: string
  /** Absent: the first line. */
  readonly linhaId?: string
  readonly telefone: string
  readonly nome: string
}

interface ExpectedReplies {
  readonly missing: ExpectedReply[]
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export interface CustomerPhones {
  readonly receive: (mensagem: OutboundMessage) => void
  /** Resolves when the customer got exactly these replies. */
  readonly expect: (telefone: string, respostas: readonly ExpectedReply[]) => Promise<void>
  readonly errors: () => readonly string[]
}

export function createCustomerPhones(): CustomerPhones {
  const waits = new Map<string, ExpectedReplies>()
  const erros: string[] = []
  return {
    receive: ({ endereco, texto }) => {
      const wait = waits.get(endereco)
      const devido = wait?.missing.shift()
      if (wait === undefined || devido === undefined || !isExpected(texto, devido)) {
        const erro = `${endereco}: "${texto}" instead of "${String(devido ?? 'nothing')}"`
        erros.push(erro)
        wait?.reject(new Error(erro))
        return
      }
      if (wait.missing.length > 0) return
      waits.delete(endereco)
      wait.resolve()
    },
    expect: (telefone, respostas) =>
      new Promise((ready, errado) => {
        if (respostas.length === 0) return ready()
        waits.set(telefone, { missing: [...respostas], resolve: ready, reject: errado })
      }),
    errors: () => erros,
  }
}

function isExpected(text: string, expected: ExpectedReply): boolean {
  return typeof expected === 'string' ? text === expected : expected.test(text)
}

let nextCustomer = 0

/** `lines`: the customers take turns with them. */
export function createBenchCustomers(
  contaId: string,
  count: number,
  lines: readonly string[] = [contaId],
): BenchCustomer[] {
  return Array.from({ length: count }, (_, n) => {
    nextCustomer += 1
    const linhaId = lines[n % lines.length] ?? contaId
    return { contaId, linhaId, telefone: `55119${String(10_000_000 + nextCustomer)}`, nome: `Cliente ${nextCustomer}` }
  })
}

export function handInToRuntime({ runtime }: BotBench): HandIn {
  return ({ contaId, linhaId = contaId, telefone, nome }, id, texto) =>
    runtime.receive(
      { contaId, linhaId },
      channelOf({ conector: 'simulador', linha: linhaId === contaId ? null : linhaId }),
      {
        ...{ id, endereco: telefone, telefone, nome, texto },
        enviadaEm: new Date(),
      },
    )
}

/**
 * Plays one customer's script, each message after the reply to the one before. Returns the milliseconds of each
 * exchange.
 */
export async function playScript(
  botBench: BotBench,
  phones: CustomerPhones,
  handIn: HandIn,
  customer: BenchCustomer,
  script: readonly ScriptLine[] = SCRIPT,
): Promise<number[]> {
  const times: number[] = []
  for (const { text, replies } of script) {
    const start = performance.now()
    const respondido = phones.expect(customer.telefone, replies(customer.nome))
    await handIn(customer, botBench.ids.uuid(), text)
    await respondido
    times.push(performance.now() - start)
  }
  return times
}
