import { useSocketState } from '#shared/realtime/socket.ts'

export interface DebugInfoProps {
  readonly loaded: number
  readonly visible: number
  readonly selected: string | undefined
}

export function DebugInfo({ loaded, visible, selected }: DebugInfoProps) {
  const { tipo } = useSocketState()
  const rows = [
    ['Conversas', loaded],
    ['Na tela', visible],
    ['Tempo real', tipo],
    ['Selecionada', selected ?? 'nenhuma'],
  ] as const
  return (
    <details className="border-t px-3 py-1 text-xs text-muted">
      <summary className="min-h-8 py-1.5 font-semibold">Depuração</summary>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 pb-2 font-mono">
        {rows.map(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name}-v`} className="min-w-0 break-all">
            {value}
          </dd>,
        ])}
      </dl>
    </details>
  )
}
