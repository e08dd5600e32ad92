import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Cardapio } from '@balcao/contract/entities/cardapio'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { KeptAnswer } from '#http/kept-answer.ts'
import { pageUrl } from './link.ts'
import type { Shop, Shops } from './shop.ts'

const paramsSchema = z.object({ endereco: z.string() })
const HEAD = '<!--cabecalho-->'
const NOT_FOUND = '<title>Cardápio não encontrado</title><meta name="robots" content="noindex" />'

/** Serves the page of the menu. Its data are in the page, so the first view needs no further request. */
export function servePage(http: FastifyInstance, deps: Pick<Deps, 'settings'>, shops: Shops, dist: string): void {
  const path = join(dist, 'cardapio.html')
  if (!existsSync(path)) return
  const template = readFileSync(path, 'utf8')
  const pages = new WeakMap<Shop, KeptAnswer>()
  const missing = template.replace(HEAD, () => NOT_FOUND)

  http.get(
    '/m/:endereco',
    { config: { erroPadrao: 'Erro ao abrir o cardápio' }, compress: false },
    async (request, reply) => {
      const { endereco } = paramsSchema.parse(request.params)
      void reply.header('cache-control', 'no-cache')
      const shop = await findShop(shops, request, endereco)
      if (shop === null) return reply.code(404).type('text/html; charset=utf-8').send(missing)
      const head = pages.has(shop) ? '' : headOf(shop, pageUrl(deps, endereco), deps.settings.urlPublica)
      const page =
        pages.get(shop) ??
        new KeptAnswer(
          template.replace(HEAD, () => head),
          'text/html',
        )
      pages.set(shop, page)
      if (!shop.config.loja.pagina.indexar) void reply.header('x-robots-tag', 'noindex')
      return page.send(request, reply)
    },
  )
}

async function findShop(shops: Shops, request: FastifyRequest, endereco: string): Promise<Shop | null> {
  try {
    return await shops.require(request, endereco)
  } catch (error) {
    if (error instanceof AppError && error.codigo === 'naoEncontrado') return null
    throw error
  }
}

/** Title, preview for messengers, menu for search engines, and the data of the page. */
function headOf({ cardapio, config }: Shop, url: string, base: string): string {
  const { nome, situacao } = cardapio
  const title = `Cardápio de ${nome}`
  const description =
    cardapio.descricao === '' ? `Veja os produtos e faça seu pedido. ${situacao}.` : cardapio.descricao
  const picture = cardapio.categorias.flatMap(({ produtos }) => produtos).find(({ imagemUrl }) => imagemUrl !== null)
  const metas = [
    ['og:type', 'website'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ['og:locale', 'pt_BR'],
    ...(picture === undefined ? [] : [['og:image', `${base}${picture.imagemUrl}`]]),
  ]
  return [
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}" />`,
    `<link rel="canonical" href="${escapeHtml(url)}" />`,
    ...metas.map(([name = '', text = '']) => `<meta property="${name}" content="${escapeHtml(text)}" />`),
    ...(config.loja.pagina.indexar ? [] : ['<meta name="robots" content="noindex" />']),
    `<script type="application/ld+json">${jsonInHtml(menuData(cardapio, url))}</script>`,
    `<script type="application/json" id="dados">${jsonInHtml(cardapio)}</script>`,
  ].join('\n')
}

function menuData({ nome, categorias }: Cardapio, url: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Menu',
    ...{ name: `Cardápio de ${nome}`, url, inLanguage: 'pt-BR' },
    hasMenuSection: categorias.map((categoria) => ({
      '@type': 'MenuSection',
      name: categoria.nome === '' ? 'Produtos' : categoria.nome,
      hasMenuItem: categoria.produtos.map(({ nome: name, descricao: description, precoCentavos }) => ({
        '@type': 'MenuItem',
        ...{ name, description },
        offers: { '@type': 'Offer', price: (precoCentavos / 100).toFixed(2), priceCurrency: 'BRL' },
      })),
    })),
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign] ?? '')

/** A text of the shop must not end the script element. */
const jsonInHtml = (data: object): string => JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
