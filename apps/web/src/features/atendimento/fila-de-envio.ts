/** Per conversa, texts and files are sent in the order they were written. */

/** Last queued send per conversa. */
const lastSends = new Map<string, Promise<void>>()

let currentLogin = {}
addEventListener('saiu', () => {
  currentLogin = {}
  lastSends.clear()
})

/** Sends after the earlier sends of this conversa, failed or not. Rejects if this send fails. Skips it after a logout. */
export function enqueueSend(conversaId: string, send: () => Promise<void>): Promise<void> {
  const session = currentLogin
  const mine = (lastSends.get(conversaId) ?? Promise.resolve()).then(async () => {
    if (session === currentLogin) await send()
  })
  // The caller reports the failure. The next send runs either way.
  lastSends.set(
    conversaId,
    mine.catch(() => undefined),
  )
  return mine
}
