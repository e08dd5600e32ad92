import type { BotRow } from '#modules/bot/index.ts'
import type { BotDeps } from '#bot/deps.ts'

/**
 * True while a running process has the bot. The lease of a dead process stays valid for some seconds; a process that
 * runs alone recognizes it by its node.
 */
export function isHeld({ vivo, no }: BotRow, { exclusive, node }: Pick<BotDeps, 'exclusive' | 'node'>): boolean {
  return vivo && (!exclusive || no === node)
}
