/** Per conversa, texts and files are sent in the order they were written. */

/** Last queued send per conversa. */
const ultimos = new Map<string, Promise<void>>()

let estaSessao = {}
addEventListener('saiu', () => {
  estaSessao = {}
  ultimos.clear()
})

/** Sends after the earlier sends of this conversa, failed or not. Rejects if this send fails. Skips it after a logout. */
export function naVez(conversaId: string, enviar: () => Promise<void>): Promise<void> {
  const sessao = estaSessao
  const minha = (ultimos.get(conversaId) ?? Promise.resolve()).then(async () => {
    if (sessao === estaSessao) await enviar()
  })
  // The caller reports the failure. The next send runs either way.
  ultimos.set(
    conversaId,
    minha.catch(() => undefined),
  )
  return minha
}
