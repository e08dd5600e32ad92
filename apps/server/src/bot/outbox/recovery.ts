import type { OutboxItem } from './send-queue.ts'

export interface OutboxRecoveryOptions {
  readonly list: () => Promise<OutboxItem[]>
  readonly add: (items: readonly OutboxItem[]) => void
  readonly closed: () => boolean
}

/** Queues the rows of `saida` that the send queue does not hold. */
export interface OutboxRecovery {
  /** Resolves when a read that started after this call is queued. */
  readonly recover: () => Promise<void>
  /** Excludes a deleted row that a running read may still return. */
  readonly deleted: (mensagemId: string) => void
}

export function createOutboxRecovery({ list, add, closed }: OutboxRecoveryOptions): OutboxRecovery {
  let reading: Promise<void> | null = null
  let denovo = false
  let apagadasDuranteLeitura: Set<string> | null = null
  const pedidaDeNovo = (): boolean => denovo

  const lerUmaVez = async (): Promise<void> => {
    const apagadas = new Set<string>()
    apagadasDuranteLeitura = apagadas
    try {
      const pending = await list()
      if (!closed()) add(pending.filter(({ mensagemId }) => !apagadas.has(mensagemId)))
    } finally {
      apagadasDuranteLeitura = null
    }
  }

  const read = async (): Promise<void> => {
    do {
      denovo = false
      await lerUmaVez()
    } while (pedidaDeNovo() && !closed())
  }

  return {
    recover: () => {
      // The caller may know of newer rows than the running read returns, so another read follows.
      denovo = reading !== null
      reading ??= read().finally(() => (reading = null))
      return reading
    },
    deleted: (mensagemId) => void apagadasDuranteLeitura?.add(mensagemId),
  }
}
