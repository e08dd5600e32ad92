import type { VersionedConfig } from '@balcao/contract/entities/config'
import type { Linha, VersionedLinhaConfig } from '@balcao/contract/entities/linha'
import { useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { isOutdated } from '#shared/form/outdated.ts'
import { SectionChoice } from '#shared/linhas/linha-choice.tsx'
import { useSaveLinhaConfig } from '#shared/linhas/linha-config.ts'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'

type Part = 'menu' | 'horario'

const PART_LABELS: Readonly<Record<Part, string>> = { menu: 'Menu e mensagens', horario: 'Horário de atendimento' }
const PART_NOUN: Readonly<Record<Part, string>> = { menu: 'menu', horario: 'horário' }

const OPTIONS = [
  { valor: 'conta', rotulo: 'Igual à conta' },
  { valor: 'linha', rotulo: 'Próprio desta linha' },
] as const

interface LinePartsProps {
  readonly linha: Linha
  readonly conta: VersionedConfig
  readonly stored: VersionedLinhaConfig
  /** Edits that are not saved: the parts must not change under them. */
  readonly changed: boolean
}

/** Which parts the line has for itself. A new own part starts as a copy of the account's. */
export function LineParts({ linha, conta, stored, changed }: LinePartsProps) {
  const saveSections = useSaveLinhaConfig(linha.id)
  const [busy, setBusy] = useState(false)
  const [leaving, setLeaving] = useState<Part | null>(null)

  async function store(part: Part, own: boolean): Promise<void> {
    setBusy(true)
    const copy = { menu: conta.menu, horario: conta.atendimento.horario }
    const noun = PART_NOUN[part]
    try {
      await saveSections({ [part]: own ? copy[part] : null }, stored)
      notify.sucesso(
        own
          ? `${linha.nome} tem agora um ${noun} próprio, copiado da conta.`
          : `${linha.nome} usa agora o ${noun} da conta.`,
      )
    } catch (error) {
      notify.erro(
        isOutdated(error)
          ? 'A configuração mudou em outra janela e foi lida de novo. Tente outra vez.'
          : `Erro ao salvar a linha: ${errorMessage(error)}`,
      )
    }
    setBusy(false)
  }

  const choiceOf = (part: Part) => (
    <SectionChoice
      label={PART_LABELS[part]}
      value={stored[part] === null ? 'conta' : 'linha'}
      options={OPTIONS}
      disabled={busy || changed}
      onChange={(valor) => (valor === 'conta' ? setLeaving(part) : void store(part, true))}
    />
  )
  const noun = PART_NOUN[leaving ?? 'menu']
  return (
    <>
      <div className="grid gap-4 border-t border-line pt-4 lg:grid-cols-2">
        {choiceOf('menu')}
        {choiceOf('horario')}
      </div>
      {stored.menu === null && stored.horario === null && (
        <p className="text-sm text-muted">
          {linha.nome} segue a conta: cada mudança feita lá vale aqui na hora. Para mudar só nesta linha, escolha
          “Próprio desta linha”.
        </p>
      )}
      <ConfirmDialog
        open={leaving !== null}
        title={`Voltar ao ${noun} da conta?`}
        confirmLabel={`Usar o ${noun} da conta`}
        onConfirm={() => (leaving === null ? undefined : store(leaving, false))}
        onClose={() => setLeaving(null)}
      >
        O {noun} próprio de {linha.nome} deixa de valer. Para tê-lo de volta, use o Histórico da configuração, na aba
        Geral.
      </ConfirmDialog>
    </>
  )
}
