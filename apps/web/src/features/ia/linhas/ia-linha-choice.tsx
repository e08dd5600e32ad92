import type { Linha } from '@balcao/contract/entities/linha'
import { CONTA_CHOICE, LinhaChoice } from '#shared/linhas/linha-choice.tsx'
import { Card } from '#shared/ui/card.tsx'

interface IaLinhaChoiceProps {
  readonly linhas: readonly Linha[]
  readonly linha: Linha | undefined
  readonly changed: boolean
  readonly onChange: (id: string) => void
}

export function IaLinhaChoice({ linhas, linha, changed, onChange }: IaLinhaChoiceProps) {
  return (
    <Card>
      <LinhaChoice
        linhas={linhas}
        value={linha?.id ?? CONTA_CHOICE}
        contaLabel="Conta: vale para todas as linhas"
        disabled={changed}
        hint={
          changed
            ? 'Salve ou descarte as alterações antes de trocar.'
            : 'Em cada linha, a IA pode ficar ligada ou desligada.'
        }
        onChange={onChange}
      />
    </Card>
  )
}
