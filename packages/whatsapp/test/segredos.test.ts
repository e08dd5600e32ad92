import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const execute = promisify(execFile)
const PROGRAMA = join(import.meta.dirname, 'programas', 'conversation.ts')
const CHAVES = /SessionEntry|privKey|rootKey|chainKey|<Buffer/

async function impresso(mode: 'com' | 'sem'): Promise<string> {
  const { stdout, stderr } = await execute(process.execPath, ['--no-warnings', PROGRAMA, mode])
  return stdout + stderr
}

describe('silenceLibsignal', () => {
  it('prints no keys during a conversation', async () => {
    expect(await impresso('com')).toBe('fim\n')
  })

  it('proves that libsignal prints private keys without the fix', async () => {
    expect(await impresso('sem')).toMatch(CHAVES)
  })
})
