import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with the names of the tests that passed only at the second try, and with the line `N passed, N failed,
 * N skipped`.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const total = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    const secondTries: string[] = []
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        total[test.result().state] += 1
        if (test.diagnostic()?.flaky === true) {
          const cause = test.result().errors?.[0]
          const place = cause?.stacks?.[0]
          secondTries.push(`${module.relativeModuleId} > ${test.fullName}`)
          if (cause !== undefined) secondTries.push(`  ${cause.message}\n  ${place?.file}:${place?.line}`)
        }
      }
    }
    for (const name of secondTries) process.stdout.write(`\nonly at the second try: ${name}`)
    process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
  }
}
