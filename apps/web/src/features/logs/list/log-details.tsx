import type { Log } from '@balcao/contract/entities/log'
import { useConfig } from '#shared/data/config/use-config.ts'
import { zonedFormat } from '#shared/format.ts'

const formatWhen = zonedFormat({ dateStyle: 'short', timeStyle: 'medium' })

const DETAIL_NAME: Readonly<Record<string, string>> = {
  erro: 'Motivo',
  mensagemId: 'Mensagem',
  protocolo: 'Protocolo',
  setor: 'Setor',
  tentativa: 'Tentativa',
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function LogDetails({ log: { id, timestamp, detalhes } }: { log: Log }) {
  const { setores } = useConfig().config.atendimento
  // Log entries store the setor id, which survives a rename. The panel shows the name.
  const dizer = (name: string, value: unknown): string =>
    (name === 'setor' ? setores.find(({ id: setor }) => setor === value)?.nome : undefined) ?? toText(value)
  const fields = typeof detalhes === 'object' ? Object.entries(detalhes) : []
  const lines: readonly (readonly [string, string])[] = [
    ['Quando', formatWhen(timestamp)],
    ...(typeof detalhes === 'string' ? [['Detalhes', detalhes] as const] : []),
    ...fields.map(([name, value]) => [DETAIL_NAME[name] ?? name, dizer(name, value)] as const),
    ['Código', id],
  ]
  return (
    <dl className="grid gap-1 rounded-[10px] bg-sunken px-3 py-2.5 text-sm">
      {lines.map(([name, value]) => (
        <div key={name} className="flex gap-3">
          <dt className="w-20 flex-none text-muted">{name}</dt>
          <dd className="min-w-0 font-semibold [overflow-wrap:anywhere] whitespace-pre-wrap">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
