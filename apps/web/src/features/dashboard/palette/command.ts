import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { LucideIcon } from 'lucide-react'

export interface Command {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly icon: LucideIcon
  readonly keywords?: string
  readonly keys?: string
  /** A result of the search: shown below the commands, with found words marked in `detail`. */
  readonly detail?: string
  readonly marcas?: readonly (readonly [number, number])[]
  readonly run: () => void
}

export function filterCommands(commands: readonly Command[], search: string): readonly Command[] {
  const words = foldAccents(search).split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return commands
  const found = commands.filter(({ title, group, keywords }) => {
    const commandWords = foldAccents(`${title} ${group} ${keywords ?? ''}`).split(/[\s/]+/)
    return words.every((typed) => commandWords.some((word) => word.startsWith(typed)))
  })
  const rank = (command: Command) => (foldAccents(command.title).startsWith(first) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b))
}
