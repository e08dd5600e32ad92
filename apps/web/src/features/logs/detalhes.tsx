import type { Log } from '@balcao/contract/entities/log'
import { useConfig } from '#shared/dados/config.ts'
import { zonedFormat } from '#shared/format.ts'

const formatWhen = zonedFormat({ dateStyle: 'short', timeStyle: 'medium' })

const DETAIL_NAME: Readonly<Record<string, string>> = {
  erro: 'Motivo',
  mensagemId: 'Mensagem',
  protocolo: 'Protocolo',
  setor: 'Setor',
  tentativa: 'Tentativa',
}

function toText(valor: unknown): string {
  return typeof valor === 'string' ? valor : JSON.stringify(valor)
}

export function LogDetails({ log: { id, timestamp, detalhes } }: { log: Log }) {
  const { setores } = useConfig().config.atendimento
  // Log entries store the setor id, which survives a rename. The panel shows the name.
  const dizer = (nome: string, valor: unknown): string =>
    (nome === 'setor' ? setores.find(({ id: setor }) => setor === valor)?.nome : undefined) ?? toText(valor)
  const campos = typeof detalhes === 'object' ? Object.entries(detalhes) : []
  const linhas: readonly (readonly [string, string])[] = [
    ['Quando', formatWhen(timestamp)],
    ...(typeof detalhes === 'string' ? [['Detalhes', detalhes] as const] : []),
    ...campos.map(([nome, valor]) => [DETAIL_NAME[nome] ?? nome, dizer(nome, valor)] as const),
    ['Código', id],
  ]
  return (
    <dl className="grid gap-1 rounded-[10px] bg-sunken px-3 py-2.5 text-sm">
      {linhas.map(([nome, valor]) => (
        <div key={nome} className="flex gap-3">
          <dt className="w-20 flex-none text-muted">{nome}</dt>
          <dd className="min-w-0 font-semibold [overflow-wrap:anywhere] whitespace-pre-wrap">{valor}</dd>
        </div>
      ))}
    </dl>
  )
}
