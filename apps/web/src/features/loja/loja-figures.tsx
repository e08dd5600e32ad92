import { Link } from '@tanstack/react-router'
import { useConfig } from '#shared/data/config/use-config.ts'
import { formatNumber } from '#shared/format.ts'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { formatMoney } from './price.ts'
import type { Catalog } from './produtos.ts'
import { type LojaState, lojaStateOf } from './loja-state.ts'

const NO_VALUE = '—'

function SituationDetail({ situacao }: { situacao: LojaState }) {
  if (situacao.ativa) return <>Opção {situacao.opcao} do menu</>
  switch (situacao.falta) {
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
      detail={<SituationDetail situacao={situation} />}
    />
  )
}

export function LojaFigures({ produtos }: { produtos: Catalog }) {
  const total = produtos.length
  const active = produtos.filter(({ ativo }) => ativo).length
  const inativos = total - active
  const sum = produtos.reduce((partial, { preco }) => partial + preco, 0)
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatCard label="Total de produtos" value={formatNumber(total)} />
      <StatCard
        label="Produtos ativos"
        value={formatNumber(active)}
        detail={inativos > 0 && `${formatNumber(inativos)} ${inativos === 1 ? 'inativo' : 'inativos'}`}
      />
      <StatCard label="Preço médio" value={total === 0 ? NO_VALUE : formatMoney(sum / total)} />
      <LojaStatusCard produtos={produtos} />
    </div>
  )
}
