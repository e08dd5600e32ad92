import type { Setor } from '@balcao/contract/entities/config'
import clsx from 'clsx'
import { formatar } from '#shared/preview/formatar.tsx'
import type { OpcaoEditada } from './rascunho.ts'
import { ChipDoTipo, SEM_RESPOSTA } from './tipo-da-opcao.tsx'

export interface OpcaoLidaProps {
  readonly opcao: OpcaoEditada
  readonly setores: readonly Setor[]
  readonly destacada: boolean
  readonly onDestacar: (numero: string | null) => void
}

export function OpcaoLida({ opcao, setores, destacada, onDestacar }: OpcaoLidaProps) {
  const resposta = opcao.tipo === 'finalizar' ? '' : opcao.resposta.trim()
  return (
    <li
      onMouseEnter={() => onDestacar(opcao.numero)}
      onMouseLeave={() => onDestacar(null)}
      className={clsx('-mx-2 flex gap-3 rounded-xl p-2 transition-colors', destacada && 'bg-brand-soft')}
    >
      <span className="grid h-9 min-w-9 flex-none place-items-center rounded-[10px] border border-line bg-surface px-1 font-bold text-brand-ink tabular-nums">
        <span>
          <span className="sr-only">Opção </span>
          {opcao.numero}
        </span>
      </span>
      <div className="min-w-0 flex-1 pt-1">
        <p className="flex flex-col items-start gap-x-3 gap-y-1 sm:flex-row sm:items-center">
          <span className="mr-auto min-w-0 font-semibold [overflow-wrap:anywhere]">{opcao.titulo}</span>
          <ChipDoTipo opcao={opcao} setores={setores} />
        </p>
        <p
          className={clsx(
            'mt-1 text-sm [overflow-wrap:anywhere] whitespace-pre-line',
            destacada ? 'text-ink' : 'text-muted',
            resposta === '' && 'italic',
          )}
        >
          {resposta === '' ? (SEM_RESPOSTA[opcao.tipo] ?? 'Sem resposta.') : formatar(resposta)}
        </p>
      </div>
    </li>
  )
}
