import type { ItemSaida } from './fila.ts'

export interface RecuperacaoOptions {
  readonly listar: () => Promise<ItemSaida[]>
  readonly enfileirar: (itens: readonly ItemSaida[]) => void
  readonly fechada: () => boolean
}

/** Queues the rows of `saida` that the send queue does not hold. */
export interface Recuperacao {
  /** Resolves when a read that started after this call is queued. */
  readonly recuperar: () => Promise<void>
  /** Excludes a deleted row that a running read may still return. */
  readonly apagada: (mensagemId: string) => void
}

export function createRecuperacao({ listar, enfileirar, fechada }: RecuperacaoOptions): Recuperacao {
  let lendo: Promise<void> | null = null
  let denovo = false
  let apagadasDuranteLeitura: Set<string> | null = null
  const pedidaDeNovo = (): boolean => denovo

  const lerUmaVez = async (): Promise<void> => {
    const apagadas = new Set<string>()
    apagadasDuranteLeitura = apagadas
    try {
      const pendentes = await listar()
      if (!fechada()) enfileirar(pendentes.filter(({ mensagemId }) => !apagadas.has(mensagemId)))
    } finally {
      apagadasDuranteLeitura = null
    }
  }

  const ler = async (): Promise<void> => {
    do {
      denovo = false
      await lerUmaVez()
    } while (pedidaDeNovo() && !fechada())
  }

  return {
    recuperar: () => {
      // The caller may know of newer rows than the running read returns, so another read follows.
      denovo = lendo !== null
      lendo ??= ler().finally(() => (lendo = null))
      return lendo
    },
    apagada: (mensagemId) => void apagadasDuranteLeitura?.add(mensagemId),
  }
}
