import type { Cardapio, ProdutoCardapio } from '@balcao/contract/entities/cardapio'
import type { Config } from '@balcao/contract/entities/config'
import type { Produto } from '@balcao/contract/entities/produto'
import { waysOfPayment } from '@balcao/engine/pedidos/checkout'
import { isOnSale } from '@balcao/engine/pedidos/totals'
import { activeOpcoes, centavosOf } from '@balcao/engine/pedidos/totals'
import { describeHorario, isOpenAt } from '@balcao/engine/rules/horario'
import { describeOpening } from '@balcao/engine/rules/opening'
import type { PageRow } from './repository.ts'

interface Source {
  readonly page: PageRow
  readonly config: Config
  readonly produtos: readonly Produto[]
}

/** The menu as strangers see it: active produtos, and no stock. */
export function buildCardapio({ page, config, produtos }: Source, now: number): Cardapio {
  const { loja, atendimento } = config
  const { horario } = atendimento
  const aberto = isOpenAt(horario, now)
  const shown = produtos.filter(({ ativo }) => ativo)
  const names = [...new Set(shown.map(({ categoria }) => categoria))]
  return {
    nome: page.empresa,
    descricao: loja.pagina.descricao,
    aberto,
    horario: describeHorario(horario),
    situacao: describeOpening(horario, now),
    pedidos: loja.pedidos,
    aceitaAgora: loja.pedidos && (aberto || loja.pedirFechado),
    categorias: [...names.filter((nome) => nome !== ''), ...names.filter((nome) => nome === '')].map((nome) => ({
      nome,
      produtos: shown.filter(({ categoria }) => categoria === nome).map((produto) => shownProduto(produto, now)),
    })),
    entrega: {
      ativa: loja.entrega.ativa,
      gratisAcimaCentavos: loja.entrega.gratisAcimaCentavos,
      bairros: [...new Set(loja.entrega.taxas.flatMap(({ bairro = '' }) => (bairro === '' ? [] : [bairro])))],
    },
    retirada: loja.retirada,
    pagamentos: [...waysOfPayment({ config })],
    minimoCentavos: loja.entrega.minimoCentavos,
    whatsapp: whatsappUrl(page, ''),
  }
}

/** Null while the number of the shop is unknown. */
export function whatsappUrl({ numero }: Pick<PageRow, 'numero'>, text: string): string | null {
  const digits = (numero ?? '').replaceAll(/\D/g, '')
  if (digits === '') return null
  return `https://wa.me/${digits}${text === '' ? '' : `?text=${encodeURIComponent(text)}`}`
}

function shownProduto(produto: Produto, now: number): ProdutoCardapio {
  const { id, nome, descricao, preco, imagemUrl } = produto
  const grupos = produto.grupos.map((grupo) => ({ ...grupo, opcoes: activeOpcoes(grupo) }))
  return {
    ...{ id, nome, descricao, imagemUrl, precoCentavos: centavosOf(preco) },
    disponivel: isOnSale(produto, now) && grupos.every(({ minimo, opcoes }) => opcoes.length >= minimo),
    grupos: grupos.filter(({ opcoes }) => opcoes.length > 0),
  }
}
