import type { Page } from 'playwright-core'
import { at } from './ready-conta.ts'

/** Observations of all windows of a test. */
export interface Watch {
  /** Errors of the consoles. */
  readonly errors: string[]
  /** English words on the screens. */
  readonly words: Set<string>
  /** Conversa and revisao → the operadores whom the events name. */
  readonly owners: Map<string, Set<string>>
}

const ENGLISH =
  /\b(the|and|with|your|you|this|error|failed|failure|loading|send|sent|message|messages|undefined|null|nan|please|close|open|save|delete|unknown|invalid|object|search|assigned|waiting|queue|warning|retry|yes|not|from|user|owner)\b/gi

/** Records console errors and the operador of each change that the page receives. Call it before the page loads. */
export function watchPage(page: Page, { errors, owners }: Watch): void {
  page.on('pageerror', ({ message }) => {
    // A new page is empty, and scripts of the test have no storage there.
    if (page.url() !== 'about:blank') errors.push(message)
  })
  page.on('console', (line) => {
    if (line.type() === 'error') errors.push(`${line.text()} ${line.location().url}`)
  })
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string' && payload.startsWith('42[')) recordOwner(owners, JSON.parse(payload.slice(2)))
    })
  })
}

function recordOwner(owners: Watch['owners'], event: unknown): void {
  const [, data]: unknown[] = Array.isArray(event) ? event : []
  const situacao = at(data, 'situacao') ?? at(data, 'conversa')
  const revisao = at(situacao, 'revisao')
  if (typeof revisao !== 'number') return
  const key = `${String(at(data, 'conversaId') ?? at(situacao, 'id'))} ${revisao}`
  owners.set(key, (owners.get(key) ?? new Set()).add(JSON.stringify(at(situacao, 'operadorId') ?? null)))
}

/** Collects the English words of a page, also from its labels and hints. */
export async function readWords(page: Page, { words }: Watch): Promise<void> {
  const text = await page.evaluate(() => {
    const labels = [...document.querySelectorAll('[aria-label],[title],[placeholder]')].flatMap((element) =>
      ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    )
    return [document.title, document.body.innerText, ...labels].join('\n')
  })
  for (const [word] of text.matchAll(ENGLISH)) words.add(word)
}
