/** An answer of a model. A line has the answer and, behind a tab, the question of the customer. */
export interface LabelledAnswer {
  readonly loja: string
  readonly resposta: string
  readonly pergunta: string
}

/** Reads a file of answers. A line with `# ` names the shop of the lines behind it. `\n` is a line break. */
export function readAnswers(file: string): readonly LabelledAnswer[] {
  let loja = ''
  const answers: LabelledAnswer[] = []
  for (const line of file.split('\n')) {
    if (line.startsWith('# ')) loja = line.slice(2)
    else if (line !== '') {
      const [resposta = '', pergunta = ''] = line.split('\t')
      answers.push({ loja, resposta: resposta.replaceAll(String.raw`\n`, '\n'), pergunta })
    }
  }
  return answers
}
