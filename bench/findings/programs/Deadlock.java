/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock [free]: two threads, each of which holds the lock that the other one waits for. */
import java.util.concurrent.CountDownLatch;

public class Deadlock {
	public static void main(String[] args) throws InterruptedException {
		Object[] locks = {new Object(), new Object()};
		CountDownLatch both = new CountDownLatch(2);
		Thread[] threads = new Thread[2];
		for (int i = 0; i < 2; i++) {
			int first = i;
			threads[i] = new Thread(() -> {
				synchronized (locks[first]) {
					both.countDown();
					try {
						both.await();
					} catch (InterruptedException e) {
						return;
					}
					if (args.length > 0)
						return;
					synchronized (locks[1 - first]) {
						System.out.println("never");
					}
				}
			});
			threads[i].start();
		}
		for (Thread each : threads)
			each.join();
	}
}
