import { ACOES_AUDITORIA } from '@balcao/contract/administracao'
import { Select, type SelectProps } from '#shared/ui/select.tsx'
import { Busca } from './busca-campo.tsx'
import type { FiltroAuditoria } from './busca.ts'
import { ROTULO_DA_ACAO } from './rotulos-da-auditoria.ts'

const ACOES = [
  { valor: 'todas' as const, rotulo: 'Todas' },
  ...ACOES_AUDITORIA.map((acao) => ({ valor: acao, rotulo: ROTULO_DA_ACAO[acao] })).toSorted((a, b) =>
    a.rotulo.localeCompare(b.rotulo, 'pt-BR'),
  ),
]
const PERIODOS: readonly { readonly valor: FiltroAuditoria['periodo']; readonly rotulo: string }[] = [
  { valor: 'hoje', rotulo: 'Hoje' },
  { valor: '7dias', rotulo: 'Últimos 7 dias' },
  { valor: '30dias', rotulo: 'Últimos 30 dias' },
  { valor: 'tudo', rotulo: 'Tudo' },
]
const RESULTADOS: readonly { readonly valor: FiltroAuditoria['resultado']; readonly rotulo: string }[] = [
  { valor: 'todos', rotulo: 'Todos' },
  { valor: 'feito', rotulo: 'Feito' },
  { valor: 'recusado', rotulo: 'Recusado' },
]

/** Grows with the window and wraps before it gets too narrow to read. */
function Escolha<V extends string>({ largo = false, ...select }: SelectProps<V> & { readonly largo?: boolean }) {
  return (
    <div className={largo ? 'min-w-52 flex-1' : 'min-w-28 flex-1'}>
      <Select {...select} className="min-h-11" />
    </div>
  )
}

export interface FiltrosDaAuditoriaProps {
  readonly filtro: FiltroAuditoria
  readonly onMudar: (mudanca: Partial<FiltroAuditoria>) => void
}

export function FiltrosDaAuditoria({ filtro, onMudar }: FiltrosDaAuditoriaProps) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="flex min-w-52 flex-1">
        <Busca
          rotulo="Buscar por nome, e-mail ou endereço IP"
          dica="Nome, e-mail ou endereço IP"
          busca={filtro.busca}
          onMudar={(busca) => onMudar({ busca })}
        />
      </div>
      <Escolha largo rotulo="Ação" value={filtro.acao} opcoes={ACOES} onChange={(acao) => onMudar({ acao })} />
      <Escolha rotulo="Período" value={filtro.periodo} opcoes={PERIODOS} onChange={(periodo) => onMudar({ periodo })} />
      <Escolha
        rotulo="Resultado"
        value={filtro.resultado}
        opcoes={RESULTADOS}
        onChange={(resultado) => onMudar({ resultado })}
      />
    </div>
  )
}
