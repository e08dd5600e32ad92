import type { Log } from '@balcao/contract/entities/log'

const quando = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium' })

/** What the fields that the server writes are called; any other shows its own name. */
const NOME: Readonly<Record<string, string>> = {
  erro: 'Motivo',
  mensagemId: 'Mensagem',
  protocolo: 'Protocolo',
  setor: 'Setor',
  tentativa: 'Tentativa',
}

function emTexto(valor: unknown): string {
  return typeof valor === 'string' ? valor : JSON.stringify(valor)
}

/** Everything an entry holds, under its line. */
export function Detalhes({ log: { id, timestamp, detalhes } }: { log: Log }) {
  const campos = typeof detalhes === 'object' ? Object.entries(detalhes) : []
  const linhas: readonly (readonly [string, string])[] = [
    ['Quando', quando.format(new Date(timestamp))],
    ...(typeof detalhes === 'string' ? [['Detalhes', detalhes] as const] : []),
    ...campos.map(([nome, valor]) => [NOME[nome] ?? nome, emTexto(valor)] as const),
    ['Código', id],
  ]
  return (
    <dl className="grid gap-x-4 gap-y-1 rounded-[10px] bg-sunken px-3 py-2.5 text-sm sm:grid-cols-[max-content_minmax(0,1fr)]">
      {linhas.map(([nome, valor]) => (
        <div key={nome} className="sm:contents">
          <dt className="text-muted">{nome}</dt>
          <dd className="font-medium [overflow-wrap:anywhere] whitespace-pre-wrap">{valor}</dd>
        </div>
      ))}
    </dl>
  )
}
