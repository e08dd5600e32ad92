import { motivoDoFim } from './falhas.ts'

const POR_CONTA = 4
const POR_CONTATO = 10
const MINUTO_MS = 60_000
const CONTATOS_LEMBRADOS = 20_000

/**
 * Limits how many questions of one account run at once. Further questions wait in order; other accounts are not
 * delayed.
 */
export interface Vagas {
  /** Resolves with the function that releases the slot. Rejects when `sinal` aborts first. */
  readonly entrar: (contaId: string, sinal: AbortSignal) => Promise<() => void>
}

interface Porta {
  ocupadas: number
  readonly fila: (() => void)[]
}

export function createVagas(): Vagas {
  const portas = new Map<string, Porta>()

  const sair = (contaId: string, porta: Porta): void => {
    const proximo = porta.fila.shift()
    if (proximo !== undefined) return proximo()
    porta.ocupadas -= 1
    if (porta.ocupadas === 0) portas.delete(contaId)
  }

  const umaSaida = (contaId: string, porta: Porta): (() => void) => {
    let saiu = false
    return () => {
      if (!saiu) sair(contaId, porta)
      saiu = true
    }
  }

  return {
    entrar: async (contaId, sinal) => {
      const porta = portas.get(contaId) ?? { ocupadas: 0, fila: [] }
      portas.set(contaId, porta)
      if (porta.ocupadas < POR_CONTA) {
        porta.ocupadas += 1
        return umaSaida(contaId, porta)
      }
      await esperarVez(porta, sinal)
      return umaSaida(contaId, porta)
    },
  }
}

function esperarVez({ fila }: Porta, sinal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const desistir = (): void => {
      const lugar = fila.indexOf(chamar)
      if (lugar !== -1) fila.splice(lugar, 1)
      reject(motivoDoFim(sinal))
    }
    const chamar = (): void => {
      sinal.removeEventListener('abort', desistir)
      resolve()
    }
    if (sinal.aborted) {
      reject(motivoDoFim(sinal))
      return
    }
    sinal.addEventListener('abort', desistir, { once: true })
    fila.push(chamar)
  })
}

export interface Ritmo {
  /** Counts one question and returns whether it is within the limit. */
  readonly passa: (contato: string) => boolean
}

export function createRitmo(agora: () => number): Ritmo {
  const instantes = new Map<string, number[]>()
  return {
    passa: (contato) => {
      const desde = agora() - MINUTO_MS
      const recentes = (instantes.get(contato) ?? []).filter((em) => em > desde)
      instantes.delete(contato)
      const [antigo] = instantes.size < CONTATOS_LEMBRADOS ? [] : instantes.keys()
      if (antigo !== undefined) instantes.delete(antigo)
      const passou = recentes.length < POR_CONTATO
      instantes.set(contato, passou ? [...recentes, agora()] : recentes)
      return passou
    },
  }
}
