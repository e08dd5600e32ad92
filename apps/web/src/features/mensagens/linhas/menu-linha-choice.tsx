import type { Linha } from '@balcao/contract/entities/linha'
import type { ReactNode } from 'react'
import { CONTA_CHOICE, LinhaChoice } from '#shared/linhas/linha-choice.tsx'

interface MenuLinhaChoiceProps {
  readonly linhas: readonly Linha[]
  readonly linha: Linha | undefined
  readonly changed: boolean
  readonly onChange: (id: string) => void
  /** The parts of the chosen line. */
  readonly children?: ReactNode
}

export function MenuLinhaChoice({ linhas, linha, changed, onChange, children }: MenuLinhaChoiceProps) {
  return (
    <div className="card grid gap-4 p-4 sm:p-5">
      <LinhaChoice
        linhas={linhas}
        value={linha?.id ?? CONTA_CHOICE}
        contaLabel="Conta: vale para todas as linhas"
        disabled={changed}
        hint={changed ? 'Salve ou cancele a edição antes de trocar.' : hintOf(linha)}
        onChange={onChange}
      />
      {children}
    </div>
  )
}

function hintOf(linha: Linha | undefined): string {
  return linha === undefined
    ? 'As linhas iguais à conta seguem cada mudança daqui.'
    : `O que os clientes de ${linha.nome} recebem.`
}
