import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const ROWS = /\/packages\/contract\/src\/routes\/[\w-]+\.ts$/
const COMPLETO = '?completo'

/** What the browser needs of a row: where to call, and what to say when it fails. */
const CAMPOS = ['method', 'path', 'permissao', 'status', 'corpo', 'erroPadrao'] as const

function rowLiteral(valor: unknown): string | null {
  if (typeof valor !== 'object' || valor === null || !('method' in valor) || !('erroPadrao' in valor)) return null
  const row = new Map(Object.entries(valor))
  return JSON.stringify(
    Object.fromEntries(CAMPOS.filter((campo) => row.has(campo)).map((campo) => [campo, row.get(campo)])),
  )
}

/**
 * Leaves the schemas of the contract's rows out of the panel: the server checks what is sent and shapes what is answered, and the
 * types were checked before. Whatever else a module of rows exports stays as it is, and is shaken off when nobody asks for it.
 */
export function contractRows(): Plugin {
  return {
    name: 'balcao:contract-rows',
    enforce: 'pre',
    apply: 'build',
    async load(id) {
      if (!ROWS.test(id)) return null
      const modulo: object = await import(pathToFileURL(id).href)
      const linhas: string[] = []
      const outros: string[] = []
      for (const [nome, valor] of Object.entries(modulo)) {
        const literal = rowLiteral(valor)
        if (literal === null) outros.push(nome)
        else linhas.push(`export const ${nome} = ${literal}`)
      }
      if (outros.length > 0) linhas.push(`export { ${outros.join(', ')} } from ${JSON.stringify(id + COMPLETO)}`)
      return { code: linhas.join('\n'), moduleType: 'js', moduleSideEffects: false }
    },
  }
}
