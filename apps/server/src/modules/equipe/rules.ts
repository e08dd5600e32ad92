import { createHash } from 'node:crypto'
import type { Setor } from '@balcao/contract/entities/config'
import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import type { DetalheErro } from '@balcao/contract/errors'

export const OPERADORES_MAXIMO = 50

/** Returns the setores without duplicates, in order, and an error detail for each unknown one. */
export function conferirSetores(
  pedidos: readonly string[],
  existentes: readonly Setor[],
): { readonly setores: readonly string[]; readonly desconhecidos: readonly DetalheErro[] } {
  const ids = new Set(existentes.map(({ id }) => id))
  return {
    setores: [...new Set(pedidos)],
    desconhecidos: pedidos.flatMap((id, indice) =>
      ids.has(id) ? [] : [{ caminho: `setores.${indice}`, mensagem: 'Este setor não existe.' }],
    ),
  }
}

export function atalhosRepetidos(respostas: readonly { readonly atalho: string }[]): DetalheErro[] {
  const vistos = new Set<string>()
  const faltas: DetalheErro[] = []
  for (const [indice, { atalho }] of respostas.entries()) {
    if (vistos.has(atalho)) {
      faltas.push({ caminho: `respostas.${indice}.atalho`, mensagem: `O atalho /${atalho} já está em uso` })
    }
    vistos.add(atalho)
  }
  return faltas
}

/** Hash of the list including its order. */
export function versaoDasRespostas(respostas: readonly RespostaRapida[]): string {
  const dito = respostas.map(({ atalho, texto }) => [atalho, texto])
  return createHash('sha256').update(JSON.stringify(dito)).digest('base64url')
}
