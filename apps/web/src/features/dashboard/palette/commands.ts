import type { LucideIcon } from 'lucide-react'

export interface Command {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly icon: LucideIcon
  readonly keywords?: string
  readonly keys?: string
  readonly run: () => void
}

function normalizeText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Every typed word must start a word of the command, without accents and case. Title matches come first. */
export function filterCommands(commands: readonly Command[], search: string): readonly Command[] {
  const termos = normalizeText(search).split(/\s+/).filter(Boolean)
  const [first] = termos
  if (first === undefined) return commands
  const found = commands.filter(({ title, group, keywords }) => {
    const palavrasDoComando = normalizeText(`${title} ${group} ${keywords ?? ''}`).split(/[\s/]+/)
    return termos.every((term) => palavrasDoComando.some((word) => word.startsWith(term)))
  })
  const comeca = (command: Command) => (normalizeText(command.title).startsWith(first) ? 0 : 1)
  return found.toSorted((a, b) => comeca(a) - comeca(b))
}
