import type { VersionedConfig } from '@balcao/contract/entities/config'
import type { Linha, VersionedLinhaConfig } from '@balcao/contract/entities/linha'
import { type ReactNode, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { isOutdated } from '#shared/form/outdated.ts'
import { SectionChoice } from '#shared/linhas/linha-choice.tsx'
import { useLinhaConfig, useSaveLinhaConfig } from '#shared/linhas/linha-config.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'

interface LineIaProps {
  readonly linha: Linha
  readonly conta: VersionedConfig
  readonly onConta: () => void
  readonly children: ReactNode
}

/** A line only turns the AI on or off. Key, model and training are the account's. */
export function LineIa({ linha, conta, onConta, children }: LineIaProps) {
  const query = useLinhaConfig(linha.id)
  return (
    <div className="grid gap-5">
      {children}
      <QueryState
        query={query}
        drawCard
        skeleton={
          <div role="status" aria-label="Carregando a linha">
            <Skeleton className="h-32 w-full" />
          </div>
        }
      >
        {(stored) => (
          <Card>
            <ActiveChoice linha={linha} stored={stored} contaActive={conta.ia.ativa} />
            <p className="mt-4 text-sm text-muted">
              Chave, modelo, treinamento e gatilhos são os da conta.{' '}
              <Button variant="ghost" size="sm" onClick={onConta}>
                Ver a IA da conta
              </Button>
            </p>
          </Card>
        )}
      </QueryState>
    </div>
  )
}

type Choice = 'conta' | 'ligada' | 'desligada'

const VALUES: Readonly<Record<Choice, boolean | null>> = { conta: null, ligada: true, desligada: false }

function choiceOf(active: boolean | null): Choice {
  if (active === null) return 'conta'
  return active ? 'ligada' : 'desligada'
}

interface ActiveChoiceProps {
  readonly linha: Linha
  readonly stored: VersionedLinhaConfig
  readonly contaActive: boolean
}

function ActiveChoice({ linha, stored, contaActive }: ActiveChoiceProps) {
  const saveSections = useSaveLinhaConfig(linha.id)
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const [error, setError] = useState<string>()
  const conta = contaActive ? 'ligada' : 'desligada'

  async function store(choice: Choice): Promise<void> {
    setBusy(true)
    setError(undefined)
    try {
      await saveSections({ iaAtiva: VALUES[choice] }, stored)
      notify.sucesso(
        choice === 'conta' ? `${linha.nome} usa agora a IA como a conta.` : `IA ${choice} em ${linha.nome}.`,
      )
    } catch (failure) {
      setError(
        isOutdated(failure)
          ? 'A configuração mudou em outra janela e foi lida de novo. Escolha outra vez.'
          : errorMessage(failure),
      )
    }
    setBusy(false)
  }

  return (
    <>
      <SectionChoice<Choice>
        label={`Assistente de IA em ${linha.nome}`}
        value={choiceOf(stored.iaAtiva)}
        options={[
          { valor: 'conta', rotulo: `Igual à conta (${conta})` },
          { valor: 'ligada', rotulo: 'Ligada nesta linha' },
          { valor: 'desligada', rotulo: 'Desligada nesta linha' },
        ]}
        disabled={busy}
        error={error}
        onChange={(choice) => (choice === 'conta' ? setAsking(true) : void store(choice))}
      />
      <ConfirmDialog
        open={asking}
        title="Usar a IA como a conta?"
        confirmLabel="Usar como a conta"
        onConfirm={() => store('conta')}
        onClose={() => setAsking(false)}
      >
        Em {linha.nome}, a IA passa a ficar {conta}, e muda junto com a conta.
      </ConfirmDialog>
    </>
  )
}
