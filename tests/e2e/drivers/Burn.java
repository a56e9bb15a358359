/* SPDX-License-Identifier: Apache-2.0 */
package org.lab;

import java.lang.management.ManagementFactory;

/** Computes in three threads, 200 ms of a CPU each. */
public class Burn {
	public static void main(String[] args) throws InterruptedException {
		Thread[] threads = new Thread[3];
		for (int i = 0; i < threads.length; i++) {
			threads[i] = new Thread(Burn::burn);
			threads[i].start();
		}
		for (Thread thread : threads)
			thread.join();
	}

	private static void burn() {
		var clock = ManagementFactory.getThreadMXBean();
		for (double x = 0; clock.getCurrentThreadCpuTime() < 200_000_000; x = Math.sin(x + 1))
			;
	}
}
