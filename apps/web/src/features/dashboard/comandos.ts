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

function normalizeText(texto: string): string {
  return texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Every typed word must start a word of the command, without accents and case. Title matches come first. */
export function filterCommands(commands: readonly Command[], search: string): readonly Command[] {
  const termos = normalizeText(search).split(/\s+/).filter(Boolean)
  const [primeiro] = termos
  if (primeiro === undefined) return commands
  const achados = commands.filter(({ title, group, keywords }) => {
    const palavrasDoComando = normalizeText(`${title} ${group} ${keywords ?? ''}`).split(/[\s/]+/)
    return termos.every((termo) => palavrasDoComando.some((palavra) => palavra.startsWith(termo)))
  })
  const comeca = (comando: Command) => (normalizeText(comando.title).startsWith(primeiro) ? 0 : 1)
  return achados.toSorted((a, b) => comeca(a) - comeca(b))
}
