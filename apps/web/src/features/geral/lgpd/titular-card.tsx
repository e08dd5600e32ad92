import { CONNECTORS } from '@balcao/contract/connectors'
import type { TitularCounts, TitularSummary } from '@balcao/contract/entities/lgpd'
import { Download, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { notify } from '#shared/avisos.ts'
import { downloadText } from '#shared/download.ts'
import { useConfig } from '#shared/data/config/use-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { customerContact, formatDate, formatNumber, formatPhone } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { fetchTitularExport, useEraseTitular } from './lgpd-queries.ts'
import { Dialog } from '#shared/ui/dialog.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

const COUNT_NAMES: readonly (readonly [keyof TitularCounts, string])[] = [
  ['conversas', 'Conversas'],
  ['mensagens', 'Mensagens'],
  ['notas', 'Notas internas'],
  ['midias', 'Arquivos'],
  ['avaliacoes', 'Avaliações'],
  ['consentimentos', 'Avisos e escolhas'],
  ['registros', 'Linhas do log'],
  ['respostasIa', 'Respostas da IA'],
]

export interface TitularCardProps {
  readonly titular: TitularSummary
  readonly searched: string
  readonly onErased: (notasDeOutros: number | null | undefined) => void
}

export function TitularCard({ titular, searched, onErased }: TitularCardProps) {
  const [apagando, setApagando] = useState(false)
  const [exportando, setExportando] = useState(false)
  const { nome, telefone, nomeUsuario, desde, ultimaAtividade, paradoDesde, emAtendimento, contagem } = titular
  const shownAs = customerContact({ telefone, nomeUsuario }) || searched

  async function exportar(): Promise<void> {
    setExportando(true)
    try {
      const data = await fetchTitularExport(searched)
      const file = (telefone || searched).replace(/[^\w.-]/g, '')
      downloadText(`dados-do-cliente-${file}.json`, 'application/json', JSON.stringify(data, null, 2))
      notify.sucesso('Dados exportados. Entregue o arquivo só ao próprio cliente.')
    } catch (error) {
      notify.erro(errorMessage(error))
    }
    setExportando(false)
  }

  return (
    <div className="rounded-card bg-sunken p-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <p className="font-bold break-words">{nome === '' ? 'Sem nome' : nome}</p>
        <p className="text-muted tabular-nums">{shownAs}</p>
        {emAtendimento && <Chip tone="amarelo">Em atendimento</Chip>}
      </div>
      <p className="mt-0.5 text-sm text-muted">
        Cliente desde {formatDate(desde)}, escreveu pela última vez em {formatDate(ultimaAtividade)}.
        {paradoDesde !== null && ` Pediu para não receber mensagens automáticas em ${formatDate(paradoDesde)}.`}
      </p>
      <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-2 lg:grid-cols-4">
        {COUNT_NAMES.map(([field, label]) => (
          <div key={field}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="font-semibold tabular-nums">{formatNumber(contagem[field] ?? 0)}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button className="min-h-11" busy={exportando} onClick={() => void exportar()}>
          {!exportando && <Download size={18} aria-hidden />}
          {exportando ? 'Exportando…' : 'Exportar dados'}
        </Button>
        <Button variant="danger" className="min-h-11" onClick={() => setApagando(true)}>
          <Trash2 size={18} aria-hidden /> Apagar tudo
        </Button>
      </div>
      <Dialog
        open={apagando}
        title={nome === '' ? 'Apagar os dados deste cliente?' : `Apagar os dados de ${nome}?`}
        onClose={() => setApagando(false)}
      >
        <EraseQuestion telefone={telefone} searched={searched} onClose={() => setApagando(false)} onErased={onErased} />
      </Dialog>
    </div>
  )
}

interface EraseQuestionProps extends Pick<TitularCardProps, 'searched' | 'onErased'> {
  /** Empty when the service hides it. */
  readonly telefone: string
  readonly onClose: () => void
}

const onlyDigits = (written: string): string => written.replace(/\D/g, '')

/** Accepts the number with or without country code 55, in any format. A hidden number must match the search exactly. */
function isSameNumber(written: string, telefone: string, wanted: string): boolean {
  if (telefone === '') return written.trim() === wanted
  const digits = onlyDigits(written)
  return digits === telefone || `55${digits}` === telefone
}

function EraseQuestion({ telefone, searched, onClose, onErased }: EraseQuestionProps) {
  const [written, setEscrito] = useState('')
  const remove = useEraseTitular()
  const confere = isSameNumber(written, telefone, searched)
  const { config } = useConfig()
  const byBrowser = config !== null && CONNECTORS[config.whatsapp.conector].pairing === 'browser'

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!confere || remove.isPending) return
    try {
      const { notasDeOutros } = await remove.mutateAsync(searched)
      onClose()
      onErased(notasDeOutros)
    } catch {
      // The form shows the error.
    }
  }

  return (
    <form noValidate onSubmit={(event) => void confirm(event)} className="grid gap-4">
      <p className="text-muted">
        Saem as conversas, os arquivos, as avaliações e o que a IA guardou, aqui e nas cópias que forem restauradas. Uma
        conversa aberta termina na hora. <strong className="text-ink">Não dá para desfazer.</strong> O celular da
        empresa não é alterado: apague a conversa nele também. Notas de outros contatos que citam o nome continuam.
      </p>
      {byBrowser && (
        <p className="text-muted">
          <strong className="text-ink">O navegador do servidor guarda uma cópia das conversas.</strong> Ela só sai com
          “Limpar Sessão”, que desliga o celular do bot.
        </p>
      )}
      <TextField
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog's one field
        autoFocus
        label={
          <>
            Para confirmar, digite{' '}
            <span className="break-all text-danger-ink">{telefone === '' ? searched : formatPhone(telefone)}</span>
          </>
        }
        inputMode={telefone === '' ? 'text' : 'tel'}
        autoComplete="off"
        value={written}
        onChange={({ currentTarget }) => setEscrito(currentTarget.value)}
      />
      {remove.error !== null && (
        <p role="alert" className="font-semibold text-danger-ink">
          {errorMessage(remove.error)}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button className="min-h-11" onClick={onClose}>
          Voltar
        </Button>
        <Button type="submit" variant="danger" className="min-h-11" disabled={!confere} busy={remove.isPending}>
          {remove.isPending ? 'Apagando…' : 'Apagar para sempre'}
        </Button>
      </div>
    </form>
  )
}
