import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Importacao } from '@balcao/contract/entities/contato'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { formatNumber } from '#shared/format.ts'
import { Dialog } from '#shared/ui/dialog.tsx'
import { FigureList } from '#shared/ui/figure-list.tsx'
import { FileChoice } from '#shared/ui/file-choice.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'
import { Button } from '#shared/ui/button.tsx'
import { refreshContatos, sendImport } from '../use-contatos.ts'

interface ImportPreviewProps {
  readonly name: string
  readonly previa: Importacao
  readonly erro: string | null
  readonly busy: boolean
  readonly onBack: () => void
  readonly onConfirm: () => void
}

const REFUSED_SHOWN = 100

function ImportPreview({ name, previa, erro, busy, onBack, onConfirm }: ImportPreviewProps) {
  const { novos, atualizados, iguais, recusados, apagados = 0 } = previa
  const changes = novos + atualizados
  const figures = [
    ['Novos', novos],
    ['Alterados', atualizados],
    ['Sem mudança', iguais],
    ['Recusados', recusados.length],
  ] as const
  return (
    <div className="grid gap-4">
      <p className="break-words text-muted">{name}</p>
      <FigureList figures={figures} />
      {recusados.length > 0 && (
        <>
          <RefusedRows recusados={recusados} />
          <p className="text-sm text-muted">
            As linhas recusadas ficam de fora. Corrija no arquivo e importe de novo: o que já entrou não se repete.
          </p>
        </>
      )}
      {apagados > 0 && (
        <Notice tone="espera" title={erasedTitle(apagados)}>
          Se não voltaram a procurar a loja, tire essas linhas do arquivo antes de importar.
        </Notice>
      )}
      {erro !== null && <Notice tone="erro" title={erro} />}
      {changes === 0 && <p role="status">Nada neste arquivo muda seus contatos.</p>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="touch" disabled={busy} onClick={onBack}>
          Escolher outro arquivo
        </Button>
        {changes > 0 && (
          <Button variant="primary" size="touch" busy={busy} onClick={onConfirm}>
            {busy ? 'Importando…' : `Importar ${formatNumber(changes)}`}
          </Button>
        )}
      </div>
    </div>
  )
}

const erasedTitle = (count: number): string =>
  count === 1
    ? '1 contato novo teve os dados apagados a pedido do cliente.'
    : `${formatNumber(count)} contatos novos tiveram os dados apagados a pedido dos clientes.`

function RefusedRows({ recusados }: Pick<Importacao, 'recusados'>) {
  const hidden = recusados.length - REFUSED_SHOWN
  return (
    <section aria-label="Linhas recusadas" tabIndex={0} className="max-h-56 overflow-y-auto rounded-card border">
      <table className="w-full text-left text-sm">
        <thead>
          <tr>
            <th scope="col" className="px-3 py-2">
              Linha
            </th>
            <th scope="col" className="px-3 py-2">
              Por que não entra
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {recusados.slice(0, REFUSED_SHOWN).map(({ linha, motivo }) => (
            <tr key={linha}>
              <td className="px-3 py-1.5 tabular-nums">{formatNumber(linha)}</td>
              <td className="px-3 py-1.5">{motivo}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && <p className="px-3 py-2 text-sm text-muted">E mais {formatNumber(hidden)}.</p>}
    </section>
  )
}

type Step =
  | { readonly tipo: 'escolher'; readonly erro: string | null }
  | { readonly tipo: 'lendo' }
  | {
      readonly tipo: 'previa' | 'importando'
      readonly file: File
      readonly previa: Importacao
      readonly erro: string | null
    }

const noop = (): void => undefined

const ACCEPT = '.csv,.txt,.vcf,text/csv,text/vcard,text/x-vcard'
const INTRO =
  'Escolha um arquivo CSV ou vCard do celular, do Google, do Outlook ou de uma planilha. O CSV precisa de uma coluna de telefone. Até 50.000 contatos e 5 MB.'

/** The server compares the file with the contatos first and writes only after the preview. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const [step, setStep] = useState<Step>({ tipo: 'escolher', erro: null })
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setStep({ tipo: 'lendo' })
    try {
      setStep({ tipo: 'previa', file, previa: await sendImport(file, true), erro: null })
    } catch (error) {
      setStep({ tipo: 'escolher', erro: errorMessage(error) })
    }
  }
  const confirm = async (file: File, previa: Importacao): Promise<void> => {
    setStep({ tipo: 'importando', file, previa, erro: null })
    try {
      const { novos, atualizados } = await sendImport(file, false)
      refreshContatos(client)
      notify.sucesso(`Importação pronta: ${formatNumber(novos)} novos e ${formatNumber(atualizados)} alterados.`)
      onClose()
    } catch (error) {
      setStep({ tipo: 'previa', file, previa, erro: `Os contatos não foram importados: ${errorMessage(error)}` })
    }
  }
  const importing = step.tipo === 'importando'
  return (
    // The dialog stays open during an import: it shows the result.
    <Dialog open width="lg" title="Importar contatos" onClose={importing ? noop : onClose} hold={importing}>
      {step.tipo === 'escolher' && (
        <FileChoice erro={step.erro} intro={INTRO} accept={ACCEPT} onChoose={(file) => void choose(file)} />
      )}
      {step.tipo === 'lendo' && (
        <p role="status" className="flex items-center gap-2 py-6">
          <Spinner /> Lendo o arquivo…
        </p>
      )}
      {(step.tipo === 'previa' || step.tipo === 'importando') && (
        <ImportPreview
          name={step.file.name}
          previa={step.previa}
          erro={step.erro}
          busy={importing}
          onBack={() => setStep({ tipo: 'escolher', erro: null })}
          onConfirm={() => void confirm(step.file, step.previa)}
        />
      )}
    </Dialog>
  )
}
