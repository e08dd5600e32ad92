import { mayReadSetor, readerOf } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import { initialFocus } from '#shared/form/initial-focus.ts'
import { customerContact } from '#shared/format.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Field } from '#shared/ui/field.tsx'
import { FormActions } from '#shared/ui/form-actions.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { Select } from '#shared/ui/select.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { ContatoChoice } from './contato-choice.tsx'
import { useWrite, type WriteForm, type WriteInput } from './use-write.ts'

export interface WriteDialogProps extends Omit<WriteInput, 'setor'> {
  readonly setores: readonly Setor[]
}

export function WriteDialog(props: WriteDialogProps) {
  const { contato, onClose } = props
  const title =
    contato === null ? 'Nova conversa' : `Escrever para ${contato.nome || customerContact(contato) || 'o cliente'}`
  return (
    <Dialog open title={title} onClose={onClose}>
      <Form {...props} />
    </Dialog>
  )
}

function Form({ setores, ...input }: WriteDialogProps) {
  const { contato, onClose } = input
  const reader = readerOf(useUsuario())
  const choices = setores.filter(({ id, ativo }) => ativo && mayReadSetor(reader, id))
  const form = useWrite({ ...input, setor: choices.length === 0 ? '' : (reader.setores[0] ?? 'geral') })
  const { fields, change, busy, errors } = form
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void form.submit(event)}>
      <Refusal form={form} />
      {contato === null && (
        <ContatoChoice
          written={fields.quem}
          chosen={fields.contato}
          found={form.found}
          failed={form.failed}
          error={errors.quem}
          onWrite={(quem) => change({ quem })}
          onChoose={(chosen) => change({ contato: chosen, quem: '' })}
        />
      )}
      {form.isNumber && (
        <TextField
          label="Nome (opcional)"
          autoComplete="off"
          maxLength={120}
          value={fields.nome}
          onChange={({ currentTarget }) => change({ nome: currentTarget.value })}
        />
      )}
      {choices.length > 0 && (
        <Select
          label="Setor"
          value={fields.setor}
          options={choices.map(({ id, nome }) => ({ valor: id, rotulo: nome }))}
          onChange={(setor) => change({ setor })}
        />
      )}
      <LinhaField form={form} />
      <Warnings form={form} />
      <Field label="Primeira mensagem (opcional)" error={errors.mensagem}>
        {(link) => (
          <textarea
            {...link}
            ref={contato === null ? undefined : initialFocus}
            rows={3}
            maxLength={4096}
            className="field max-h-64 min-h-20 resize-none field-sizing-content"
            value={fields.mensagem}
            onChange={({ currentTarget }) => change({ mensagem: currentTarget.value })}
          />
        )}
      </Field>
      <FormActions
        onCancel={onClose}
        busy={busy}
        submitLabel={fields.mensagem.trim() === '' ? 'Abrir conversa' : 'Enviar'}
      />
    </form>
  )
}

function LinhaField({ form: { linhas, fields, change } }: { form: WriteForm }) {
  if (linhas.length === 0) return null
  return (
    <Select
      label="Linha"
      value={fields.linha}
      options={[
        { valor: '', rotulo: 'A última linha do cliente' },
        ...linhas.map(({ id, nome }) => ({ valor: id, rotulo: nome })),
      ]}
      onChange={(linha) => change({ linha })}
    />
  )
}

function Refusal({ form: { refusal, openExisting, openWithoutMessage, openErased } }: { form: WriteForm }) {
  if (refusal === null) return null
  return (
    <Notice tone="erro" title={refusal.text}>
      {refusal.conversaId !== undefined && (
        <Button className="mt-2" onClick={openExisting}>
          Ver conversa
        </Button>
      )}
      {refusal.janelaFechada && (
        <Button className="mt-2" onClick={() => void openWithoutMessage()}>
          Abrir sem a mensagem
        </Button>
      )}
      {refusal.naoEscreve && (
        <p>No chat do site a loja só responde. A conversa aparece aqui quando o cliente escrever de novo.</p>
      )}
      {refusal.apagado && (
        <Button className="mt-2" onClick={() => void openErased()}>
          Abrir mesmo assim
        </Button>
      )}
    </Notice>
  )
}

function Warnings({ form: { stopped, windowClosed } }: { form: WriteForm }) {
  return (
    <>
      {stopped && (
        <Notice tone="espera" title="Esta pessoa pediu PARAR">
          O bot não envia nada até ela escrever VOLTAR. Você ainda pode escrever.
        </Notice>
      )}
      {windowClosed && (
        <Notice tone="espera" title="Fora da janela de 24 horas">
          Abra a conversa sem mensagem e envie um modelo aprovado, em Detalhes.
        </Notice>
      )}
    </>
  )
}
