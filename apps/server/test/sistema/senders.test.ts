import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '..', '..', 'src')
const read = (path: string): string => readFileSync(join(SRC, path), 'utf8')

/** A call that makes something leave the server: a message, a mail, a notice, a question to the AI. */
const SENDS = /\b(?:mailer|push|connector|ai)\.(?:send|answer)\(|\bnew DueWork\(/

/**
 * Each file with such a call, and the file whose statement finds its work. That statement has the condition that nothing
 * leaves after the import of a backup before the administrator decides. Null: a person asked for it just now.
 */
const SENDERS: Readonly<Record<string, string | null>> = {
  'bot/ai/briefs.ts': 'modules/bot/leases-repository.ts',
  'bot/outbox/send-queue.ts': 'modules/bot/leases-repository.ts',
  'composition/timers.ts': 'modules/prazos/repository.ts',
  'modules/emails/worker.ts': 'modules/emails/repository.ts',
  // Called for a question of a customer, whose line is leased, or of a person.
  'modules/ia/guarded-answer.ts': null,
  'modules/push/send-notices.ts': 'modules/push/queue.ts',
}

it('lists every sender, and each asks whether anything may leave after the import of a backup', () => {
  const files = globSync('{bot,composition,modules,realtime,http}/**/*.ts', {
    cwd: SRC,
    exclude: ['**/*.test.ts'],
  }).map((path) => path.replaceAll('\\', '/'))
  expect(files.filter((path) => SENDS.test(read(path))).toSorted()).toEqual(Object.keys(SENDERS))
  for (const guard of Object.values(SENDERS)) {
    if (guard !== null)
      expect([guard, read(guard)]).toEqual([guard, expect.stringMatching(/not \$\{(?:rawSql\()?RESTORE_PENDING_SQL\b/)])
  }
})
