import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { slowTexts } from '@balcao/contract/testing/hostile-texts'
import { parseWebContent } from '#adapters/navegador/content.ts'
import { redact } from '#adapters/ia/failures.ts'
import { cleanServiceText, TEXT_MAX } from '#lib/text.ts'
import { displayName } from '#modules/arquivos/rules/file-name.ts'
import { hidesPage, isPlainText } from '#modules/arquivos/rules/sniff.ts'
import { foldName, likePattern, searchTerms } from '#modules/contatos/search-terms.ts'
import { withoutSecret } from '#modules/emails/rules.ts'

const WEB_MESSAGE = {
  id: { id: '1', fromMe: false, remote: 'c@c.us' },
  from: 'c@c.us',
  to: 'd@c.us',
  timestamp: 1,
  hasMedia: false,
}

/** The functions of the server that read texts of strangers, beside those of the engine. */
const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  cleanServiceText: (text) => cleanServiceText(text, TEXT_MAX),
  foldName,
  searchTerms,
  likePattern,
  displayName: (text) => displayName(text, { extensions: ['txt'] }),
  isPlainText: (text) => isPlainText(Buffer.from(text)),
  hidesPage: (text) => hidesPage(Buffer.from(text)),
  withoutSecret,
  redact: (text) => redact(text, 'segredo'),
  parseWebContent: (text) => parseWebContent({ ...WEB_MESSAGE, type: 'vcard', body: text }),
}

const ENGINE = join(import.meta.dirname, '..', '..', '..', '..', 'packages', 'engine', 'src')
/** An exported function with a parameter that holds a text of a person. */
const READER = /^export function (\w+)\([^)]*\b(?:text|query|raw): string/gm

describe('texts of strangers', () => {
  it('are measured for each function of the engine that reads them', () => {
    const files = globSync('**/*.ts', { cwd: ENGINE }).filter((file) => !/^testing|frases|\.test\.ts$/.test(file))
    const code = files.map((file) => readFileSync(join(ENGINE, file), 'utf8')).join('\n')
    const readers = [...code.matchAll(READER)].map(([, name = '']) => name)
    const measured = readFileSync(join(ENGINE, 'hostile-texts.test.ts'), 'utf8')
    expect(readers).toContain('foldText')
    expect(readers.filter((name) => !new RegExp(`^  ${name}\\b`, 'm').test(measured))).toEqual([])
  })

  it.each(Object.entries(FUNCTIONS))('are read by %s in linear time', (_name, read) => {
    expect(slowTexts(read)).toEqual([])
  })
})
