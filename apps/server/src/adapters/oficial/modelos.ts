import * as z from 'zod/mini'
import type { ModeloOficial } from '@balcao/contract/entities/oficial'
import type { ModeloEnviado } from '#ports/messaging.ts'
import type { NumeroOficial } from '#ports/oficial.ts'
import type { Graph } from './graph.ts'

const PRAZO_MS = 10_000
const PAGINAS_MAXIMO = 5
const LACUNA = /\{\{\s*([\w-]+)\s*\}\}/g

const componenteSchema = z.object({
  type: z.string(),
  format: z.optional(z.string()),
  text: z.optional(z.string()),
  buttons: z.optional(z.array(z.object({ type: z.string(), url: z.optional(z.string()) }))),
})
type Componente = z.output<typeof componenteSchema>

const modeloSchema = z.object({
  name: z.string(),
  language: z.string(),
  category: z.string(),
  components: z.array(componenteSchema),
})
const paginaSchema = z.object({
  data: z.array(z.unknown()),
  paging: z.optional(z.object({ next: z.optional(z.string()), cursors: z.optional(z.object({ after: z.string() })) })),
})

const CATEGORIAS: Readonly<Record<string, ModeloOficial['categoria']>> = {
  UTILITY: 'utilidade',
  MARKETING: 'marketing',
  AUTHENTICATION: 'autenticacao',
}

/** Lists approved templates that consist of text only. We cannot fill media headers or URL buttons with parameters. */
export async function listarModelos(
  graph: Graph,
  { contaWhatsappId, token }: NumeroOficial,
): Promise<readonly ModeloOficial[]> {
  const modelos: ModeloOficial[] = []
  let depois = ''
  for (let pagina = 0; pagina < PAGINAS_MAXIMO; pagina += 1) {
    const busca = 'status=APPROVED&fields=name,language,category,components&limit=100'
    const caminho = `${contaWhatsappId}/message_templates?${busca}${depois}`
    const lida = paginaSchema.parse(await graph.pedir({ metodo: 'GET', caminho, token, prazoMs: PRAZO_MS }))
    modelos.push(...lida.data.flatMap(lerModelo))
    const { next, cursors } = lida.paging ?? {}
    if (next === undefined || cursors === undefined) break
    depois = `&after=${encodeURIComponent(cursors.after)}`
  }
  return modelos.toSorted((a, b) => a.nome.localeCompare(b.nome))
}

function lerModelo(bruto: unknown): ModeloOficial[] {
  const lido = modeloSchema.safeParse(bruto)
  if (!lido.success || !lido.data.components.every(daParaPreencher)) return []
  const { name: nome, language: idioma, category, components } = lido.data
  const texto = components.find(({ type }) => type === 'BODY')?.text
  if (texto === undefined) return []
  const lacunas = [...new Set([...texto.matchAll(LACUNA)].map(([, lacuna]) => lacuna ?? ''))]
  return [{ nome, idioma, categoria: CATEGORIAS[category] ?? 'outra', texto, lacunas: emOrdem(lacunas) }]
}

function daParaPreencher({ type, format, text = '', buttons = [] }: Componente): boolean {
  if (type === 'BODY' || type === 'FOOTER') return true
  if (type === 'HEADER') return format === 'TEXT' && !text.includes('{{')
  return type === 'BUTTONS' && buttons.every(({ type: tipo, url = '' }) => SEM_DADOS.has(tipo) && !url.includes('{{'))
}
const SEM_DADOS: ReadonlySet<string> = new Set(['QUICK_REPLY', 'URL', 'PHONE_NUMBER'])

const emOrdem = (lacunas: readonly string[]): string[] =>
  lacunas.every((lacuna) => /^\d+$/.test(lacuna)) ? lacunas.toSorted((a, b) => Number(a) - Number(b)) : [...lacunas]

export function corpoDoModelo({ nome, idioma, valores }: ModeloEnviado): object {
  const parameters = valores.map(({ lacuna, valor }) => ({
    type: 'text',
    text: valor,
    ...(/^\d+$/.test(lacuna) ? {} : { parameter_name: lacuna }),
  }))
  const components = parameters.length === 0 ? [] : [{ type: 'body', parameters }]
  return { type: 'template', template: { name: nome, language: { code: idioma }, components } }
}
