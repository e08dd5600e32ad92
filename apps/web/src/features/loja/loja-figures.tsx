import type { Config } from '@balcao/contract/entities/config'
import { Link } from '@tanstack/react-router'
import { useConfig } from '#shared/data/config/use-config.ts'
import { formatNumber } from '#shared/format.ts'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { formatMoney } from '#shared/form/price.ts'
import type { Catalog } from '#shared/data/produtos.ts'

const NO_VALUE = '—'

type LojaState =
  | { readonly ativa: true; readonly opcao: string }
  | { readonly ativa: false; readonly falta: 'produto' | 'produtoAtivo' | 'opcaoNoMenu' }

function lojaStateOf(catalog: Catalog, { menu }: Config): LojaState {
  if (catalog.length === 0) return { ativa: false, falta: 'produto' }
  if (!catalog.some(({ ativo }) => ativo)) return { ativa: false, falta: 'produtoAtivo' }
  const opcao = menu.opcoes.find(({ tipo }) => tipo === 'loja')
  return opcao === undefined ? { ativa: false, falta: 'opcaoNoMenu' } : { ativa: true, opcao: opcao.numero }
}

function SituationDetail({ situation }: { situation: LojaState }) {
  if (situation.ativa) return <>Opção {situation.opcao} do menu</>
  switch (situation.falta) {
    case 'produto':
      return <>Falta o primeiro produto</>
    case 'produtoAtivo':
      return <>Nenhum produto está ativo</>
    case 'opcaoNoMenu':
      return (
        <>
          Nenhuma opção do menu leva à loja.{' '}
          <Link to="/dashboard" search={{ aba: 'mensagens' }} className="font-semibold text-brand-ink underline">
            Criar a opção
          </Link>
        </>
      )
  }
}

function LojaStatusCard({ produtos }: { produtos: Catalog }) {
  const { config, source, loading } = useConfig()
  // The defaults are not this account's menu, so the text waits. The empty line avoids a layout shift.
  if (loading || source === 'padrao' || config === null)
    return <StatCard label="Status da loja" value={NO_VALUE} detail={'\u00a0'} />
  const situation = lojaStateOf(produtos, config)
  return (
    <StatCard
      label="Status da loja"
      value={situation.ativa ? 'Ativa' : 'Inativa'}
      detail={<SituationDetail situation={situation} />}
    />
  )
}

export function LojaFigures({ produtos }: { produtos: Catalog }) {
  const total = produtos.length
  const active = produtos.filter(({ ativo }) => ativo).length
  const inactive = total - active
  const sum = produtos.reduce((partial, { preco }) => partial + preco, 0)
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatCard label="Total de produtos" value={formatNumber(total)} />
      <StatCard
        label="Produtos ativos"
        value={formatNumber(active)}
        detail={inactive > 0 && `${formatNumber(inactive)} ${inactive === 1 ? 'inativo' : 'inativos'}`}
      />
      <StatCard label="Preço médio" value={total === 0 ? NO_VALUE : formatMoney(sum / total)} />
      <LojaStatusCard produtos={produtos} />
    </div>
  )
}
