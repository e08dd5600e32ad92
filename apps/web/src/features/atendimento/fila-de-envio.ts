/** What one person sends in one conversation leaves in the order in which it was written, files and texts alike. */

/** The last one of each conversation that is to leave. */
const ultimos = new Map<string, Promise<void>>()

let estaSessao = {}
addEventListener('saiu', () => {
  estaSessao = {}
  ultimos.clear()
})

/**
 * Sends when what was written before in this conversation has arrived, or has failed. Rejects with what sending does; after who
 * wrote it has left nothing is sent any more.
 */
export function naVez(conversaId: string, enviar: () => Promise<void>): Promise<void> {
  const sessao = estaSessao
  const minha = (ultimos.get(conversaId) ?? Promise.resolve()).then(async () => {
    if (sessao === estaSessao) await enviar()
  })
  // How one ends is told by who sends it; the next goes either way.
  ultimos.set(
    conversaId,
    minha.catch(() => undefined),
  )
  return minha
}
