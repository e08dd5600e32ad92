import type { OutboundMessage } from '@balcao/server/src/ports/messaging.ts'
import type { House } from './house.ts'

export interface Fala {
  readonly texto: string
  readonly respostas: (nome: string) => readonly string[]
}

const MENU = (nome: string): string =>
  `Menu de ${nome}. Escolha um número para continuar, por favor:\n1 - Horários\n2 - Endereço\n0 - Sair`

export const ROTEIRO: readonly Fala[] = [
  { texto: 'oi', respostas: (nome) => [`Olá, ${nome}! Bem-vindo à nossa loja.`, MENU(nome)] },
  { texto: '1', respostas: (nome) => [`${nome}, abrimos de segunda a sexta, das 8h às 18h.`] },
  { texto: 'que horas?', respostas: (nome) => [`Desculpe, ${nome}, não entendi.`, MENU(nome)] },
  { texto: '2', respostas: (nome) => [`${nome}, estamos na Rua das Flores, 123, Centro.`] },
  { texto: 'menu', respostas: (nome) => [MENU(nome)] },
  { texto: '0', respostas: (nome) => [`Até logo, ${nome}!`] },
]

export type Entrar = (cliente: Cliente, id: string, texto: string) => Promise<void>

export interface Cliente {
  readonly contaId: string
  readonly telefone: string
  readonly nome: string
}

interface Espera {
  readonly faltam: string[]
  readonly pronto: () => void
  readonly errado: (error: Error) => void
}

export interface Telefones {
  readonly receber: (mensagem: OutboundMessage) => void
  readonly esperar: (telefone: string, respostas: readonly string[]) => Promise<void>
  readonly erros: () => readonly string[]
}

export function createTelefones(): Telefones {
  const esperas = new Map<string, Espera>()
  const erros: string[] = []
  return {
    receber: ({ endereco, texto }) => {
      const espera = esperas.get(endereco)
      const devido = espera?.faltam.shift()
      if (espera === undefined || devido !== texto) {
        const erro = `${endereco}: "${texto}" instead of "${devido ?? 'nothing'}"`
        erros.push(erro)
        espera?.errado(new Error(erro))
        return
      }
      if (espera.faltam.length > 0) return
      esperas.delete(endereco)
      espera.pronto()
    },
    esperar: (telefone, respostas) =>
      new Promise((pronto, errado) => esperas.set(telefone, { faltam: [...respostas], pronto, errado })),
    erros: () => erros,
  }
}

let proximo = 0

export function createClientes(contaId: string, quantos: number): Cliente[] {
  return Array.from({ length: quantos }, () => {
    proximo += 1
    return { contaId, telefone: `55119${String(10_000_000 + proximo)}`, nome: `Cliente ${proximo}` }
  })
}

export function entrarPeloRuntime({ runtime }: House): Entrar {
  return ({ contaId, telefone, nome }, id, texto) =>
    runtime.receber(contaId, 'simulador', { id, endereco: telefone, telefone, nome, texto, enviadaEm: new Date() })
}

/**
 * Plays one customer's script, each message after the reply to the one before. Returns the milliseconds of each
 * exchange.
 */
export async function conversar(
  house: House,
  telefones: Telefones,
  entrar: Entrar,
  cliente: Cliente,
  roteiro: readonly Fala[] = ROTEIRO,
): Promise<number[]> {
  const tempos: number[] = []
  for (const { texto, respostas } of roteiro) {
    const inicio = performance.now()
    const respondido = telefones.esperar(cliente.telefone, respostas(cliente.nome))
    await entrar(cliente, house.ids.uuid(), texto)
    await respondido
    tempos.push(performance.now() - inicio)
  }
  return tempos
}
