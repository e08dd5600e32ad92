import type { ServerEvent } from '#realtime.ts'

const ENDED_KEPT = 1_000

/**
 * Remembers the conversas that ended, by the `revisao` of their end. An event that another node published earlier may
 * arrive after the end, and would bring the conversa back into the list.
 */
export class EndedConversas {
  readonly #revisoes = new Map<string, number>()

  /** True if the event is from before the end of its conversa. Call it once for each event. */
  isOutdated(received: ServerEvent): boolean {
    if (received.evento === 'conversaFinalizada') {
      this.#record(received.dados)
      return false
    }
    const stamp = stampOf(received)
    return stamp !== null && stamp.revisao <= (this.#revisoes.get(stamp.id) ?? -1)
  }

  #record({ conversaId, revisao }: { readonly conversaId: string; readonly revisao?: number | undefined }): void {
    if (revisao === undefined) return
    this.#revisoes.delete(conversaId)
    this.#revisoes.set(conversaId, revisao)
    const [oldest] = this.#revisoes.keys()
    if (this.#revisoes.size > ENDED_KEPT && oldest !== undefined) this.#revisoes.delete(oldest)
  }
}

interface Stamp {
  readonly id: string
  readonly revisao: number
}

/** Null for events without a `revisao`. */
function stampOf({ dados }: ServerEvent): Stamp | null {
  if ('conversa' in dados) {
    const { id, revisao } = dados.conversa
    return revisao === undefined ? null : { id, revisao }
  }
  if (!('situacao' in dados) || dados.situacao === undefined) return null
  return { id: dados.conversaId, revisao: dados.situacao.revisao }
}
