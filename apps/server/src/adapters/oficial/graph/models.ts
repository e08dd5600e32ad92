import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import type { ModeloOficial } from '@balcao/contract/entities/oficial'
import type { SentModelo } from '@balcao/connector/port'
import type { OficialJournal, OficialNumber, OficialService } from '#ports/oficial.ts'
import type { Graph } from './client.ts'

const TIMEOUT_MS = 10_000
const CACHE_MS = 60_000
const MAX_CONTAS = 200
const MAX_PAGES = 5
const PLACEHOLDER = /\{\{\s*([\w-]+)\s*\}\}/g

const templatePartSchema = z.object({
  type: z.string(),
  format: z.optional(z.string()),
  text: z.optional(z.string()),
  buttons: z.optional(z.array(z.object({ type: z.string(), url: z.optional(z.string()) }))),
})
type TemplatePart = z.output<typeof templatePartSchema>

const templateSchema = z.object({
  name: z.string(),
  language: z.string(),
  category: z.string(),
  components: z.array(templatePartSchema),
})
const templatePageSchema = z.object({
  data: z.array(z.unknown()),
  paging: z.optional(z.object({ next: z.optional(z.string()), cursors: z.optional(z.object({ after: z.string() })) })),
})

const CATEGORIES: Readonly<Record<string, ModeloOficial['categoria']>> = {
  UTILITY: 'utilidade',
  MARKETING: 'marketing',
  AUTHENTICATION: 'autenticacao',
}

export function createTemplateCache(
  graph: Graph,
  journal: Pick<OficialJournal, 'findNumber'>,
  log: { readonly warn: (data: object, event: string) => void },
): OficialService['listModelos'] {
  const cache = new LRUCache<string, readonly ModeloOficial[]>({ max: MAX_CONTAS, ttl: CACHE_MS })
  return async (line) => {
    const { contaId } = line
    const number = await journal.findNumber(line)
    if (number === null) return []
    const key = `${contaId}|${number.contaWhatsappId}|${number.token}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    try {
      const modelos = await listMetaTemplates(graph, number)
      cache.set(key, modelos)
      return modelos
    } catch (error) {
      log.warn({ contaId, detalhe: error instanceof Error ? error.message : 'erro' }, 'oficial: template list not read')
      return null
    }
  }
}

/** Lists approved templates that consist of text only. We cannot fill media headers or URL buttons with parameters. */
async function listMetaTemplates(
  graph: Graph,
  { contaWhatsappId, token }: OficialNumber,
): Promise<readonly ModeloOficial[]> {
  const modelos: ModeloOficial[] = []
  let after = ''
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = 'status=APPROVED&fields=name,language,category,components&limit=100'
    const path = `${contaWhatsappId}/message_templates?${query}${after}`
    const parsed = templatePageSchema.parse(await graph.request({ method: 'GET', path, token, timeoutMs: TIMEOUT_MS }))
    modelos.push(...parsed.data.flatMap(parseTemplate))
    const { next, cursors } = parsed.paging ?? {}
    if (next === undefined || cursors === undefined) break
    after = `&after=${encodeURIComponent(cursors.after)}`
  }
  return modelos.toSorted((a, b) => a.nome.localeCompare(b.nome))
}

function parseTemplate(raw: unknown): ModeloOficial[] {
  const parsed = templateSchema.safeParse(raw)
  if (!parsed.success || !parsed.data.components.every(isFillable)) return []
  const { name: nome, language: idioma, category, components } = parsed.data
  const texto = components.find(({ type }) => type === 'BODY')?.text
  if (texto === undefined) return []
  const gaps = [...new Set([...texto.matchAll(PLACEHOLDER)].map(([, gap]) => gap ?? ''))]
  return [{ nome, idioma, categoria: CATEGORIES[category] ?? 'outra', texto, lacunas: sortPlaceholders(gaps) }]
}

function isFillable({ type, format, text = '', buttons = [] }: TemplatePart): boolean {
  if (type === 'BODY' || type === 'FOOTER') return true
  if (type === 'HEADER') return format === 'TEXT' && !text.includes('{{')
  return (
    type === 'BUTTONS' && buttons.every(({ type: tipo, url = '' }) => STATIC_BUTTONS.has(tipo) && !url.includes('{{'))
  )
}
const STATIC_BUTTONS: ReadonlySet<string> = new Set(['QUICK_REPLY', 'URL', 'PHONE_NUMBER'])

const sortPlaceholders = (gaps: readonly string[]): string[] =>
  gaps.every((gap) => /^\d+$/.test(gap)) ? gaps.toSorted((a, b) => Number(a) - Number(b)) : [...gaps]

export function buildTemplateBody({ nome, idioma, valores }: SentModelo): object {
  const parameters = valores.map(({ lacuna, valor }) => ({
    type: 'text',
    text: valor,
    ...(/^\d+$/.test(lacuna) ? {} : { parameter_name: lacuna }),
  }))
  const components = parameters.length === 0 ? [] : [{ type: 'body', parameters }]
  return { type: 'template', template: { name: nome, language: { code: idioma }, components } }
}
