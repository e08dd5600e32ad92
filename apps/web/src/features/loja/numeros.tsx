import { Link } from '@tanstack/react-router'
import { useConfig } from '#shared/dados/config.ts'
import { formatNumber } from '#shared/format.ts'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { formatMoney } from './preco.ts'
import type { Catalogo } from './produtos.ts'
import { type SituacaoDaLoja, situacaoDaLoja } from './situacao.ts'

const SEM_VALOR = '—'

function Detalhe({ situacao }: { situacao: SituacaoDaLoja }) {
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

function Status({ produtos }: { produtos: Catalogo }) {
  const { config, origem, carregando } = useConfig()
  // The defaults are not this account's menu, so the text waits. The empty line avoids a layout shift.
  if (carregando || origem === 'padrao')
    return <StatCard rotulo="Status da loja" valor={SEM_VALOR} detalhe={'\u00a0'} />
  const situacao = situacaoDaLoja(produtos, config)
  return (
    <StatCard
      rotulo="Status da loja"
      valor={situacao.ativa ? 'Ativa' : 'Inativa'}
      detalhe={<Detalhe situacao={situacao} />}
    />
  )
}

export function Numeros({ produtos }: { produtos: Catalogo }) {
  const total = produtos.length
  const ativos = produtos.filter(({ ativo }) => ativo).length
  const inativos = total - ativos
  const soma = produtos.reduce((parcial, { preco }) => parcial + preco, 0)
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatCard rotulo="Total de produtos" valor={formatNumber(total)} />
      <StatCard
        rotulo="Produtos ativos"
        valor={formatNumber(ativos)}
        detalhe={inativos > 0 && `${formatNumber(inativos)} ${inativos === 1 ? 'inativo' : 'inativos'}`}
      />
      <StatCard rotulo="Preço médio" valor={total === 0 ? SEM_VALOR : formatMoney(soma / total)} />
      <Status produtos={produtos} />
    </div>
  )
}
