import type { ItemSaida } from './fila.ts'

export interface RecuperacaoOptions {
  /** What the table `saida` holds, in order. */
  readonly listar: () => Promise<ItemSaida[]>
  readonly enfileirar: (itens: readonly ItemSaida[]) => void
  /** True once the session ended: nothing more is queued. */
  readonly fechada: () => boolean
}

/** Brings into a session's queue what its table holds and the queue does not know. */
export interface Recuperacao {
  /** Resolves when a reading that began after this call is queued. */
  readonly recuperar: () => Promise<void>
  /** The row of this message is gone: a reading under way may have seen it all the same. */
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
      // Sent and deleted while we were reading: not ours to send again.
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
      // Who asks while it is being read may know of rows that this reading does not see.
      denovo = lendo !== null
      lendo ??= ler().finally(() => (lendo = null))
      return lendo
    },
    apagada: (mensagemId) => void apagadasDuranteLeitura?.add(mensagemId),
  }
}
