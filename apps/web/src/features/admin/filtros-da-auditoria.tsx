import { ACOES_AUDITORIA } from '@balcao/contract/administracao'
import { Select } from '#shared/ui/select.tsx'
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

export interface FiltrosDaAuditoriaProps {
  readonly filtro: FiltroAuditoria
  readonly onMudar: (mudanca: Partial<FiltroAuditoria>) => void
}

export function FiltrosDaAuditoria({ filtro, onMudar }: FiltrosDaAuditoriaProps) {
  return (
    <div className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)]">
      <div className="col-span-2 flex lg:col-span-1">
        <Busca
          rotulo="Buscar por nome, e-mail ou endereço IP"
          dica="Nome, e-mail ou endereço IP"
          busca={filtro.busca}
          onMudar={(busca) => onMudar({ busca })}
        />
      </div>
      <div className="max-lg:col-span-2">
        <Select
          rotulo="Ação"
          className="min-h-11"
          value={filtro.acao}
          opcoes={ACOES}
          onChange={(acao) => onMudar({ acao })}
        />
      </div>
      <Select
        rotulo="Período"
        className="min-h-11"
        value={filtro.periodo}
        opcoes={PERIODOS}
        onChange={(periodo) => onMudar({ periodo })}
      />
      <Select
        rotulo="Resultado"
        className="min-h-11"
        value={filtro.resultado}
        opcoes={RESULTADOS}
        onChange={(resultado) => onMudar({ resultado })}
      />
    </div>
  )
}
