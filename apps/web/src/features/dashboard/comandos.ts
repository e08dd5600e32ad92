import type { LucideIcon } from 'lucide-react'

export interface Comando {
  readonly id: string
  readonly titulo: string
  readonly grupo: string
  readonly icone: LucideIcon
  readonly palavras?: string
  readonly teclas?: string
  readonly executar: () => void
}

function simplificar(texto: string): string {
  return texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Every typed word must start a word of the command, without accents and case. Title matches come first. */
export function filtrarComandos(comandos: readonly Comando[], busca: string): readonly Comando[] {
  const termos = simplificar(busca).split(/\s+/).filter(Boolean)
  const [primeiro] = termos
  if (primeiro === undefined) return comandos
  const achados = comandos.filter(({ titulo, grupo, palavras }) => {
    const palavrasDoComando = simplificar(`${titulo} ${grupo} ${palavras ?? ''}`).split(/[\s/]+/)
    return termos.every((termo) => palavrasDoComando.some((palavra) => palavra.startsWith(termo)))
  })
  const comeca = (comando: Comando) => (simplificar(comando.titulo).startsWith(primeiro) ? 0 : 1)
  return achados.toSorted((a, b) => comeca(a) - comeca(b))
}
